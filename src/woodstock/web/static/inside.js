// Look inside a position: the network of the turn, symmetries, beliefs, why a move is legal, sizes.

import { post, get } from "./api.js";
import { Board } from "./board.js";
import { el, fill, icon, say } from "./dom.js";
import { beliefTab, sizeTab, symmetriesTab, whyTab } from "./inside-tabs.js";
import { networkTab } from "./network-tab.js";

const TABS = [
  { name: "network", title: "Network", make: networkTab },
  { name: "symmetries", title: "Symmetries", make: symmetriesTab },
  { name: "belief", title: "Beliefs", make: beliefTab },
  { name: "why", title: "Why", make: whyTab },
  { name: "size", title: "Size", make: sizeTab },
];

/** The page: `/inside?game=REF&line=JSON&tab=why`. */
export async function page(main, { query }) {
  const game = query.get("game");
  if (!game) return choose(main);
  const place = { game, line: read(query.get("line")) ?? [], fluents: read(query.get("fluents")) };
  const state = { place, view: null, cleanup: null, turn: 0, shown: query.get("tab") ?? "network" };
  if (!TABS.some(({ name }) => name === state.shown)) state.shown = "network";

  const heading = el("h1", {}, "Look inside");
  const tabs = TABS.map(({ name, title }) => el("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "inside-panel", onclick: () => select(name),
  }, title));
  const list = el("div", { role: "tablist", class: "inside-tabs", "aria-label": "What to look at", onkeydown: keys }, tabs);
  const panel = el("section", { role: "tabpanel", id: "inside-panel", class: "inside-panel", tabindex: "0" });
  const said = el("p", { class: "muted" });
  const figure = el("div", {});
  const back = el("button", { type: "button", class: "button small", onclick: () => moveTo(state.place.line.slice(0, -1)) }, icon("back"), "Back one move");
  const chosen = {};
  const board = new Board(figure, { onMove: (role, move) => play(role, move) });
  fill(main, heading, el("div", { class: "split" },
    el("div", { class: "card" }, list, panel),
    el("aside", { class: "card stack", "aria-label": "The position" }, el("div", { class: "row spread" }, said, back), figure)));

  function keys(event) {
    const at = TABS.findIndex(({ name }) => name === state.shown);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = (next + TABS.length) % TABS.length;
    select(TABS[to].name);
    tabs[to].focus();
  }

  function address() {
    const words = new URLSearchParams({ game });
    if (state.place.line.length) words.set("line", JSON.stringify(state.place.line));
    if (state.place.fluents) words.set("fluents", JSON.stringify(state.place.fluents));
    words.set("tab", state.shown);
    return `/inside?${words}`;
  }

  function select(name) {
    state.shown = name;
    history.replaceState(history.state, "", address());
    TABS.forEach((tab, index) => {
      const mine = tab.name === name;
      tabs[index].setAttribute("aria-selected", String(mine));
      tabs[index].tabIndex = mine ? 0 : -1;
      // On a phone the row of tabs scrolls by itself; the page stays where it is.
      if (mine) list.scrollLeft = tabs[index].offsetLeft - (list.clientWidth - tabs[index].offsetWidth) / 2 - list.offsetLeft;
    });
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    state.cleanup?.();
    state.cleanup = null;
    const mine = ++state.turn;
    fill(panel);
    const box = el("div", {});
    panel.append(box);
    const ask = (more) => post("/api/inside", { ...place_(), ...more }, { quiet: true });
    const tools = {
      ask, box, view: state.view,
      /** Ask, show that it takes a moment, and say what went wrong. */
      async load(into, more, show) {
        const wait = el("p", { class: "inside-wait", role: "status" }, "Working it out …");
        if (!into.childElementCount) fill(into, wait);
        into.setAttribute("aria-busy", "true");
        try {
          const found = await ask(more);
          if (mine === state.turn) show(found);
        } catch (problem) {
          if (mine === state.turn) fill(into, el("p", { class: "notice warn", role: "alert" }, problem.message));
        } finally {
          into.removeAttribute("aria-busy");
        }
      },
    };
    state.cleanup = TABS.find((tab) => tab.name === name).make(tools) ?? null;
  }

  function place_() {
    const { line, fluents } = state.place;
    return { game, line, ...(fluents ? { fluents } : {}) };
  }

  function play(role, move) {
    chosen[role] = move;
    const { roles, moves } = state.view;
    const joint = roles.map((one) => chosen[one] ?? (moves[one]?.length === 1 ? moves[one][0].move : null));
    const missing = roles.filter((_, index) => joint[index] === null);
    if (missing.length) {
      said.textContent = `${role}: ${move}. Now choose for ${missing.join(" and ")}.`;
      say(said.textContent);
    } else moveTo([...state.place.line, joint]);
  }

  async function moveTo(line) {
    const before = state.place;
    state.place = { ...before, line };
    for (const role of Object.keys(chosen)) delete chosen[role];
    try {
      await look();
    } catch (problem) {
      state.place = before;
      throw problem;
    }
  }

  async function look() {
    state.view = await post("/api/position", place_());
    const { ply, terminal, turn } = state.view;
    said.textContent = `After ${ply} ${ply === 1 ? "move" : "moves"}: ${terminal ? "the game is over" : `${turn.join(" and ") || "nobody"} to choose`}`;
    back.disabled = !state.place.line.length;
    board.show(state.view);
    select(state.shown);
  }

  get(game.startsWith("sha256:") ? "/api/about" : `/api/games/${encodeURIComponent(game)}`, { quiet: true })
    .then(({ title }) => {
      if (title) heading.textContent = `Inside ${title}`;
      if (title) document.title = `Inside ${title} · WoodStock`;
    }, () => {});
  await look();
  return () => {
    state.turn += 1;
    state.cleanup?.();
    board.close();
  };
}

function read(text) {
  if (!text) return null;
  try {
    const found = JSON.parse(text);
    return Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

/** Without a game: which one? */
async function choose(main) {
  const games = await get("/api/games");
  const list = el("ul", { class: "grid net-links" });
  const show = (text) => {
    const wanted = text.trim().toLowerCase();
    const found = games.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(wanted));
    fill(list, found.map(({ name, title }) => el("li", {}, el("a", { class: "button wide", href: `/inside?game=${encodeURIComponent(name)}` }, title))));
  };
  show("");
  fill(main, el("h1", {}, "Look inside"),
    el("p", { class: "muted" }, "How WoodStock sees a position: the constraint network of the turn, its symmetries, what a role may believe, which rule makes a move legal, and how large and fast the game is."),
    el("label", { class: "field card" }, el("span", {}, "Which game?"),
      el("input", { type: "search", placeholder: "Find a game", autocomplete: "off", oninput: (event) => show(event.target.value) })),
    el("p", {}), list);
  return undefined;
}
