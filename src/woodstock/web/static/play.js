// Before a match: who sits where. The match itself is in table.js.

import { get, post } from "./api.js";
import { drawing, el, fill, icon, toast } from "./dom.js";
import { seatForm, usualSeats } from "./seats.js";
import { begin, table } from "./table.js";

export async function page(main, params) {
  const [, id] = params.parts;
  return id && id !== "new" ? table(main, id, params) : setup(main, params);
}

async function setup(main, { query, go }) {
  const game = query.get("game");
  if (!game) return go("/", { replace: true });
  const own = game.startsWith("sha256:");
  const line = readLine(query.get("line"));
  const heading = el("h1", {}, own ? "Your own game" : "\u00a0");
  const summary = el("p", { class: "muted setup-summary" }, "\u00a0");
  const picture = el("div", { class: "setup-board card", role: "img", "aria-label": "The first position" }, el("span", { class: "spinner", "aria-hidden": "true" }));
  const side = el("section", { class: "card stack", "aria-label": "Seats" }, el("h2", {}, "Who plays?"));
  fill(main, el("div", { class: "split play setup" }, el("header", {}, heading, summary), picture, side));

  const [meta, view, known] = await Promise.all([
    own ? null : get(`/api/games/${encodeURIComponent(game)}`),
    post("/api/position", { game, line }),
    get("/api/players"),
  ]);
  const title = meta?.title ?? "Your own game";
  document.title = `${title} · WoodStock`;
  heading.textContent = title;
  summary.textContent = meta?.summary ?? `Rules ${game.slice(7, 15)}, for ${view.players.length === 1 ? "one player" : `${view.players.length} players`}.`;
  const art = drawing(view.svg ?? "");
  // The frame around it has the words.
  art?.setAttribute("aria-hidden", "true");
  if (art) fill(picture, art);
  else fill(picture, el("pre", {}, view.text ?? "There is no drawing of this position."));
  if (view.text) picture.setAttribute("aria-label", `The position: ${view.text}`);

  const form = seatForm(view.players, known, usualSeats(view.players));
  const start = el("button", { type: "button", class: "button primary wide", id: "start" }, icon("play"), "Start");
  start.addEventListener("click", async () => {
    start.disabled = true;
    try {
      await begin({ game, seats: form.seats(), ...(line.length ? { line } : {}) }, go);
    } catch {
      start.disabled = false;
    }
  });
  const at = `?game=${encodeURIComponent(game)}`;
  fill(side, el("h2", {}, "Who plays?"), form.node, start,
    line.length ? el("p", { class: "muted" }, `The match goes on after ${line.length} moves.`) : null,
    el("nav", { class: "row setup-links", "aria-label": "More about this game" },
      el("a", { class: "button small", href: `/analyse${at}` }, icon("chart"), "Analyse"),
      el("a", { class: "button small", href: `/inside${at}` }, icon("eye"), "Look inside"),
      el("a", { class: "button small", href: `/rules${at}` }, icon("edit"), "Rules")));
  const papers = meta?.papers ?? [];
  if (papers.length) {
    side.append(el("details", {}, el("summary", {}, "Played in papers"),
      el("ul", {}, papers.map((paper) => el("li", {}, paper.paper ? `${paper.paper}${paper.where ? `, ${paper.where}` : ""}` : String(paper))))));
  }
}

function readLine(text) {
  if (!text) return [];
  try {
    const line = JSON.parse(text);
    return Array.isArray(line) ? line : [];
  } catch {
    toast("The moves in this address cannot be read: beginning at the first position.", "bad");
    return [];
  }
}
