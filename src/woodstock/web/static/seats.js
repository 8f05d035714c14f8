// Who sits where: a small form with one line for each role, used before and during a match.

import { el, fill } from "./dom.js";

const SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];
export const CHANCE = "random";

/** The seats a match begins with: the first role a person, the others woodstock with a second. */
export function usualSeats(players) {
  return Object.fromEntries(
    players.map((role, index) => [role, index ? { kind: "player", player: "woodstock", seconds: 1 } : { kind: "person" }]),
  );
}

/** A seat in words. */
export function seatText(seat) {
  if (!seat) return "";
  if (seat.kind === "person") return seat.name || "person";
  return `${seat.player}, ${seat.seconds} s`;
}

/** A form for the seats: `node`, and `seats()` which reads it.
 *
 * `players` are the roles without chance, `known` what /api/players said, `seats` the start.
 */
export function seatForm(players, known, seats) {
  const chosen = structuredClone(seats);
  const names = [...known].sort((a, b) => (b.name === "woodstock") - (a.name === "woodstock") || a.name.localeCompare(b.name));
  const about = Object.fromEntries(names.map((player) => [player.name, player.about]));

  const node = el("div", { class: "seats-form" }, players.map((role, index) => line(role, index)));
  return { node, seats: () => structuredClone(chosen) };

  function line(role, index) {
    const seat = chosen[role] ?? (chosen[role] = { kind: "person" });
    const who = el("select", { id: `who-${index}`, "aria-label": `Who plays ${role}` },
      el("option", { value: "" }, "a person"),
      el("optgroup", { label: "players" }, names.map(({ name }) => el("option", { value: name }, name))));
    who.value = seat.kind === "person" ? "" : seat.player;
    const strength = el("select", { "aria-label": `Seconds a move for ${role}` },
      [...new Set([...SECONDS, Number(seat.seconds ?? 1)])].sort((a, b) => a - b).map((value) => el("option", { value }, `${value} s a move`)));
    strength.value = String(seat.seconds ?? 1);
    const note = el("p", { class: "muted seat-about" });
    const refresh = () => {
      const person = who.value === "";
      chosen[role] = person ? { kind: "person" } : { kind: "player", player: who.value, seconds: Number(strength.value) };
      strength.disabled = person;
      strength.classList.toggle("unused", person);
      fill(note, person ? "At this screen, or anywhere by a link." : (about[who.value] ?? ""));
    };
    who.addEventListener("change", refresh);
    strength.addEventListener("change", refresh);
    refresh();
    return el("fieldset", { class: "seat-line" }, el("legend", {}, role), el("div", { class: "seat-choices" }, who, strength), note);
  }
}
