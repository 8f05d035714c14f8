// The panels beside the board of a match: seats, moves, hints, links, what one knows, the end.

import { chosen, copy, el, fill, icon, toast } from "./dom.js";
import { seatText } from "./seats.js";

/** A move without its outer parentheses. */
export function plain(move) {
  const text = String(move ?? "");
  return text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text;
}

/** A value between 0 and 1 in hundredths. */
export function percent(value) {
  return value === null || value === undefined ? "" : `${Math.round(100 * value)}`;
}

/** One line a role: who sits there, whose turn it is, what the player thinks. */
export function seatsList(list, now, thinking) {
  const { seats, waiting = [], moved = [], you = [], view, over, goals } = now;
  fill(list, view.players.map((role) => {
    const seat = seats[role];
    // Who has no choice (noop) is waited for as well, but is not to move.
    const chooses = !view.turn?.length || view.turn.includes(role);
    const active = !over && waiting.includes(role) && !moved.includes(role) && chooses;
    const news = thinking[role];
    const machine = seat?.kind === "player";
    let note = "";
    if (over && goals) note = `${goals[role] ?? ""}`;
    else if (active && machine) note = news?.value !== undefined && news.value !== null ? `thinks ${percent(news.value)}` : "thinking";
    else if (active) note = "to move";
    else if (moved.includes(role) && !over && chooses) note = "has moved";
    return el("li", { class: `seat${active ? " active" : ""}` },
      icon(machine ? "machine" : "person"),
      el("span", { class: "seat-role" }, role),
      el("span", { class: "muted seat-who" }, you.includes(role) ? "you" : seatText(seat)),
      active && machine ? el("span", { class: "spinner", "aria-hidden": "true" }) : null,
      note ? el("span", { class: `badge${active ? " accent" : ""}` }, note) : null);
  }));
}

/** The moves so far, a line a ply; `look` (if given) shows the position after a ply. */
export function movesList(list, now, at, look) {
  const { line, view } = now;
  const { roles } = view;
  const state = `${JSON.stringify(line.length)}/${JSON.stringify(line.at(-1) ?? null)}/${look ? 1 : 0}`;
  if (list.dataset.state !== state) {
    list.dataset.state = state;
    fill(list, line.length ? line.map((joint, index) => {
      const inside = [el("span", { class: "move-number" }, `${index + 1}`), el("span", { class: "move-words" }, words(joint, roles))];
      return el("li", {}, look
        ? el("button", { type: "button", class: "move", onclick: () => look(index + 1) }, inside)
        : el("div", { class: "move" }, inside));
    }) : el("li", { class: "muted" }, "No move yet."));
    list.scrollTop = list.scrollHeight;
  }
  [...list.children].forEach((item, index) => {
    if (index + 1 === at && line.length) item.firstElementChild?.setAttribute("aria-current", "true");
    else item.firstElementChild?.removeAttribute("aria-current");
  });
}

function words(joint, roles) {
  const shown = joint.map((move, index) => ({ role: roles[index], move }));
  // Where somebody acts on something, moves of one word (noop) of the others say nothing.
  const real = shown.some(({ move }) => move?.startsWith("("));
  const kept = shown.filter(({ move }) => move && (!real || move.startsWith("(")));
  const unknown = shown.filter(({ move }) => move === null || move === undefined);
  const parts = kept.map(({ role, move }) => el("span", { class: "move-one" }, roles.length > 1 ? el("span", { class: "muted" }, `${role} `) : null, plain(move)));
  if (unknown.length && !kept.length) parts.push(el("span", { class: "muted" }, `${unknown.map(({ role }) => role).join(", ")}: unseen`));
  return parts;
}

/** What a player advises: its values for every move, and the line it expects. */
export function hintPanel(box, hint, now, { play, close }) {
  box.hidden = !hint;
  if (!hint) return;
  const head = el("div", { class: "row spread" }, el("h2", {}, "Hint"),
    el("button", { type: "button", class: "plain", "aria-label": "Close the hint", onclick: close }, icon("close")));
  if (hint.busy) {
    fill(box, head, el("p", { class: "row", role: "status" }, el("span", { class: "spinner", "aria-hidden": "true" }), "Thinking for a second …"));
    return;
  }
  const { decision, role } = hint;
  const moves = decision.moves ?? [];
  const rows = moves.slice(0, 40).map((item, index) => el("tr", { class: index ? "" : "best" },
    el("td", {}, el("button", { type: "button", class: "move", title: "Play this move", onclick: () => play(role, item.move) }, plain(item.move)), index ? null : chosen()),
    el("td", { class: "number" }, percent(item.value)),
    el("td", {}, bar(item.value)),
    el("td", { class: "muted" }, item.proved ? "proved" : item.visits ? item.visits.toLocaleString("en") : "")));
  fill(box, head,
    el("p", {}, "Best: ", el("strong", {}, plain(decision.move)),
      decision.value !== undefined ? `, worth ${percent(decision.value)} of 100${decision.proved ? " (proved)" : ""}.` : "."),
    rows.length ? el("div", { class: "scroll hint-moves", tabindex: "0", role: "group", "aria-label": "All moves with their values" }, el("table", { class: "table" },
      el("thead", {}, el("tr", {}, ["Move", "Value"].map((text, index) => el("th", { scope: "col", class: index ? "number" : "" }, text)), el("td", {}), el("th", { scope: "col" }, "Tries"))),
      el("tbody", {}, rows))) : null,
    moves.length > 40 ? el("p", { class: "muted" }, `and ${moves.length - 40} more; all of them on the board or in the analysis`) : null);
}

function bar(value) {
  return el("span", { class: "value-bar", "aria-hidden": "true" }, el("span", { style: { width: `${Math.max(0, Math.min(100, 100 * value))}%` } }));
}

/** What this person saw and what stays open, in games with hidden information. */
export function knowledge(box, now, seen) {
  const doubts = now.view.doubts ?? [];
  // Two people at one screen: each is told what was seen by who looks now.
  const recent = seen.filter(({ role }) => !now.eyes || role === now.eyes).slice(-6).reverse();
  const chance = Object.entries(now.view.chance ?? {});
  box.hidden = !doubts.length && !recent.length && !chance.length;
  if (box.hidden) return;
  fill(box,
    doubts.length ? [el("h2", {}, "Not known to you"), el("ul", { class: "doubts" }, doubts.slice(0, 40).map((text) => el("li", {}, String(text)))),
      doubts.length > 40 ? el("p", { class: "muted" }, `and ${doubts.length - 40} more`) : null] : null,
    recent.length ? [el("h2", {}, "What you saw"), el("ul", { class: "percepts" }, recent.map(({ ply, role, got }) =>
      el("li", {}, el("span", { class: "muted" }, `${ply}. ${now.you.length > 1 ? `${role}: ` : ""}`), got.map(plain).join(", "))))] : null,
    chance.length ? [el("h2", {}, "Chance"), el("ul", {}, chance.slice(0, 12).map(([move, share]) => el("li", {}, `${plain(move)}: ${Math.round(1000 * share) / 10} %`)))] : null);
}

/** An address that opens for others, too: of this machine in its network, with the token it asks for. */
function shared(path, invite) {
  const address = new URL(path, invite?.origin ?? location.origin);
  if (invite?.token) address.searchParams.set("token", invite.token);
  return address.href;
}

/** The links by which other people take their seats; `invite` is what /api/about says of it. */
export function linksPanel(box, now, invite) {
  const people = Object.entries(now.links ?? {});
  const links = now.watch ? [...people, ["to watch", now.watch]] : people;
  box.hidden = !now.owner || !links.length;
  const state = JSON.stringify(links);
  if (box.hidden || box.dataset.state === state) return;
  box.dataset.state = state;
  const alone = people.length < 2 && now.you.length === people.length;
  fill(box, el("details", { open: !alone }, el("summary", {}, el("h2", {}, "Links for other people")),
    el("p", { class: "muted" }, "Whoever has a link plays that role, and nothing else; with the last one they only look."),
    links.map(([role, path]) => {
      const address = shared(path, invite);
      const field = el("input", { type: "text", readonly: true, value: address, "aria-label": `Link for ${role}`, onfocus: (event) => event.target.select() });
      return el("div", { class: "link-line" }, el("span", { class: "label" }, role), field,
        el("button", {
          type: "button", class: "button small", "aria-label": `Copy the link for ${role}`,
          onclick: async () => toast((await copy(address)) ? `Link for ${role} copied` : "Copying is not allowed here: mark the link and copy it.", "good"),
        }, icon("copy"), "Copy"));
    })));
}

/** How it ended: goals, who won, why; and what one may do next. */
export function endPanel(box, now, { again, analyse, record }) {
  box.hidden = !now.over;
  if (!now.over) {
    delete box.dataset.state;
    return;
  }
  const state = JSON.stringify([now.goals, now.reason, now.resigned]);
  if (box.dataset.state === state) return;
  box.dataset.state = state;
  const players = now.view.players;
  const goals = now.goals ?? now.view.goals ?? {};
  const most = Math.max(...players.map((role) => goals[role] ?? -1));
  fill(box, el("h2", { class: "end-words" }, verdict(now, players, goals)),
    el("table", { class: "table goals" }, el("caption", { class: "offstage" }, "Goals"),
      el("tbody", {}, players.map((role) => el("tr", {},
        el("th", { scope: "row" }, role, (now.you ?? []).includes(role) && players.length > 1 ? " (you)" : ""),
        el("td", { class: `number${goals[role] === most && players.length > 1 ? " good" : ""}` }, goals[role] === undefined || goals[role] === null ? "–" : `${goals[role]} of 100`))))),
    now.reason ? el("p", { class: "muted end-reason" }, `It ended because: ${now.reason}.`) : null,
    el("div", { class: "end-actions" },
      el("button", { type: "button", class: "button primary", onclick: () => again(false) }, icon("again"), players.length > 1 ? "Rematch" : "Again"),
      players.length > 1 ? el("button", { type: "button", class: "button", title: "Rematch with the seats turned", onclick: () => again(true) }, icon("people"), "Seats turned") : null,
      el("button", { type: "button", class: "button", onclick: analyse }, icon("chart"), "Analyse"),
      el("button", { type: "button", class: "button", onclick: record }, icon("download"), "Record")));
}

function verdict(now, players, goals) {
  if (now.resigned) return `${now.resigned} resigned`;
  if (now.problem) return "The match was broken off";
  if (players.length === 1) return `${goals[players[0]] ?? "?"} of 100`;
  const most = Math.max(...players.map((role) => goals[role] ?? -1));
  const best = players.filter((role) => goals[role] === most);
  if (most < 0) return "The match is over";
  if (best.length === players.length) return most === 100 ? "Everybody wins" : "A draw";
  const you = now.you ?? [];
  if (best.length === 1 && you.length === 1) return you[0] === best[0] ? "You win" : `${best[0]} wins`;
  return best.length === 1 ? `${best[0]} wins` : `${best.join(" and ")} are ahead`;
}
