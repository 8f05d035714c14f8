// One recorded match to step through.

import { get, post } from "./api.js";
import { el, fill, icon, toast } from "./dom.js";
import { Replay } from "./replay.js";

export async function page(main, { parts, query }) {
  const id = parts[1] ?? "";
  const record = await get(`/api/records/${encodeURIComponent(id)}`, { quiet: true });
  const chosen = query.get("game");
  const which = el("div", { hidden: true });
  const place = el("div");
  fill(main, el("p", {}, el("a", { href: "/watch" }, "← All records")), which, place);
  const replay = new Replay(place, { onGame: () => ask() });
  const match = { ...record, game: chosen || record.game };
  const asked = Number.parseInt(query.get("ply") ?? "", 10);

  const ask = () => {
    if (!which.hidden) return;
    which.hidden = false;
    fill(which, gameForm(record, (game) => {
      which.hidden = true;
      history.replaceState(history.state, "", `${location.pathname}?game=${encodeURIComponent(game)}`);
      replay.show({ ...match, game });
    }));
  };
  replay.show(match, { ply: Number.isInteger(asked) ? asked : 0 });
  document.title = `${match.game ?? record.named_game ?? "Record"} · WoodStock`;
  return () => replay.close();
}

/** Where a record does not say which game it is of: choose one, or paste the rules. */
export function gameForm(record, done) {
  const names = el("datalist", { id: "record-games" });
  get("/api/games", { quiet: true })
    .then((games) => names.append(...games.map((game) => el("option", { value: game.name }, game.title))))
    .catch(() => {});
  const name = el("input", { list: "record-games", autocomplete: "off", placeholder: "tic-tac-toe" });
  const text = el("textarea", { rows: 5, spellcheck: "false", class: "mono", placeholder: "(role white) …" });
  const says = record.named_game ? `The record calls it “${record.named_game.slice(0, 200)}”.` : "The record does not say.";
  const use = async (event) => {
    event.preventDefault();
    if (name.value.trim()) {
      done(name.value.trim());
      return;
    }
    if (!text.value.trim()) return;
    const found = await post("/api/rules", { text: text.value });
    if (found.ok === false) toast("These rules have mistakes; the page Rules shows them.", "bad");
    else done(`sha256:${found.digest.replace(/^sha256:/, "")}`);
  };
  return el("form", { class: "card stack watch-which", onsubmit: use },
    el("div", {}, el("h2", {}, "Which game is it?"), el("p", { class: "muted" }, `${says} Choose one of the library, or paste its rules.`)),
    el("label", { class: "field" }, el("span", {}, "A game of the library"), name, names),
    el("label", { class: "field" }, el("span", {}, "or its rules"), text),
    el("div", { class: "row" }, el("button", { class: "button primary" }, icon("check"), "Show the match")));
}
