// All games as pictures: search, filters, and the way to one's own rules.

import { get } from "./api.js";
import { el, fill, icon, say, toast } from "./dom.js";

const KINDS = {
  deterministic: "no chance",
  stochastic: "dice and chance",
  hidden: "hidden information",
};
const LIMIT = 2_000_000;
let games = null;

/** Read the text of a dropped or chosen file and hand it to the page of rules. */
export async function takeFile(file, go) {
  if (!file) return;
  if (file.size > LIMIT) {
    toast("That file is too large for a rulesheet (2 MB at most).", "bad");
    return;
  }
  handOver(await file.text(), go);
}

/** Open the page of rules with a text. */
export function handOver(text, go) {
  sessionStorage.setItem("rules", text);
  go("/rules?mine=1");
}

export async function page(main, { query, go }) {
  const heading = el("div", { class: "home-head" },
    el("h1", {}, "What shall we play?"),
    el("p", { class: "muted" }, "Pick a game, or bring the rules of your own: they are played the same way."));
  const count = el("p", { class: "muted home-count", role: "status", "aria-live": "polite" }, "\u00a0");
  const list = el("ul", { class: "games", "aria-label": "Games" });
  fill(main, heading, el("div", { class: "filters card", id: "filters" }), count, list);
  if (!games) {
    fill(list, Array.from({ length: 12 }, () => el("li", { class: "game ghost", "aria-hidden": "true" }, el("span", { class: "game-picture" }))));
    games = await get("/api/games");
  }

  const wanted = {
    text: query.get("q") ?? "",
    players: query.get("players") ?? "",
    kind: query.get("kind") ?? "",
    paper: query.get("paper") ?? "",
  };
  const cards = games.map((game) => ({ game, words: words(game), node: card(game) }));
  const own = ownRules(go);
  const nothing = el("li", { class: "card nothing", hidden: true }, el("p", {}, "No game fits. Fewer words, or other filters?"));
  fill(list, own, cards.map(({ node }) => node), nothing);

  const update = () => {
    let shown = 0;
    for (const item of cards) {
      const fits = matches(item, wanted);
      item.node.hidden = !fits;
      if (fits) shown += 1;
    }
    own.hidden = Boolean(wanted.text || wanted.players || wanted.kind || wanted.paper) && shown > 0;
    nothing.hidden = shown > 0;
    count.textContent = shown === cards.length ? `${shown} games` : `${shown} of ${cards.length} games`;
    const address = new URLSearchParams();
    if (wanted.text) address.set("q", wanted.text);
    for (const key of ["players", "kind", "paper"]) if (wanted[key]) address.set(key, wanted[key]);
    const search = address.toString();
    history.replaceState(history.state, "", search ? `/?${search}` : "/");
  };
  fill(main.querySelector("#filters"), filters(wanted, update));
  update();

  const over = (event) => {
    if ([...(event.dataTransfer?.types ?? [])].includes("Files")) own.classList.add("over");
  };
  const out = () => own.classList.remove("over");
  const drop = (event) => {
    out();
    if (event.dataTransfer?.files.length) takeFile(event.dataTransfer.files[0], go);
  };
  window.addEventListener("dragover", over);
  window.addEventListener("dragleave", out);
  window.addEventListener("drop", drop);
  return () => {
    window.removeEventListener("dragover", over);
    window.removeEventListener("dragleave", out);
    window.removeEventListener("drop", drop);
  };
}

function words(game) {
  return [game.name, game.title, game.summary, game.board, game.kind, KINDS[game.kind]].join(" ").toLowerCase();
}

function papersOf(game) {
  return (game.papers ?? []).map((paper) => String(paper.paper ?? paper.title ?? paper).replace(/, (Table|Figure|Section|page).*$/, ""));
}

function matches({ game, words: known }, wanted) {
  const text = wanted.text.trim().toLowerCase();
  if (text && !text.split(/\s+/).every((word) => known.includes(word))) return false;
  if (wanted.players === "3" ? game.players < 3 : wanted.players && String(game.players) !== wanted.players) return false;
  if (wanted.kind === "simultaneous") {
    if (game.turns !== "simultaneous") return false;
  } else if (wanted.kind && game.kind !== wanted.kind) return false;
  return !wanted.paper || papersOf(game).includes(wanted.paper);
}

function filters(wanted, update) {
  const papers = [...new Set(games.flatMap(papersOf))].sort();
  const kinds = Object.keys(KINDS).filter((kind) => games.some((game) => game.kind === kind));
  const kindOptions = { "": "any kind", ...Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]])) };
  if (games.some((game) => game.turns === "simultaneous")) kindOptions.simultaneous = "moves at the same time";
  const search = el("input", {
    type: "search", id: "search", placeholder: "Search: chess, dice, hex, 8x8 …", value: wanted.text, autocomplete: "off", spellcheck: "false",
    oninput: (event) => {
      wanted.text = event.target.value;
      update();
    },
  });
  return [
    el("label", { class: "field filter-search" }, el("span", {}, "Search"), el("span", { class: "with-icon" }, icon("search"), search)),
    choice("Players", "players", { "": "any number", 1: "one", 2: "two", 3: "three or more" }),
    choice("Kind", "kind", kindOptions),
    papers.length ? choice("Paper", "paper", { "": "any or none", ...Object.fromEntries(papers.map((paper) => [paper, paper])) }) : null,
  ];

  function choice(label, key, options) {
    return el("label", { class: "field" }, el("span", {}, label),
      el("select", {
        value: wanted[key],
        onchange: (event) => {
          wanted[key] = event.target.value;
          update();
        },
      }, Object.entries(options).sort(([a], [b]) => (a === "" ? -1 : b === "" ? 1 : 0)).map(([value, text]) => el("option", { value }, text))));
  }
}

function card(game) {
  const many = game.players === 1 ? "1 player" : `${game.players} players`;
  const picture = el("img", {
    class: "game-image", alt: "", loading: "lazy", decoding: "async", width: 240, height: 240,
    src: `/api/games/${encodeURIComponent(game.name)}/picture.svg`,
  });
  picture.addEventListener("error", () => picture.classList.add("absent"), { once: true });
  return el("li", { class: "game" },
    el("a", { class: "game-link", href: `/play/new?game=${encodeURIComponent(game.name)}`, title: game.summary },
      el("span", { class: "game-picture" }, picture),
      el("span", { class: "game-words" },
        el("strong", { class: "game-title" }, game.title),
        el("span", { class: "game-summary muted" }, game.summary),
        el("span", { class: "row game-badges" },
          el("span", { class: "badge" }, many),
          game.kind !== "deterministic" && KINDS[game.kind] ? el("span", { class: "badge accent" }, KINDS[game.kind]) : null,
          game.turns === "simultaneous" ? el("span", { class: "badge accent" }, "at the same time") : null))));
}

function ownRules(go) {
  const input = el("input", { type: "file", class: "offstage", tabindex: "-1", "aria-label": "A file with rules", accept: ".kif,.gdl,.txt,text/plain" });
  input.addEventListener("change", () => takeFile(input.files[0], go));
  const node = el("li", { class: "game own" },
    el("span", { class: "own-mark" }, icon("plus")),
    el("strong", { class: "game-title" }, "Your own rules"),
    el("span", { class: "muted" }, "Paste or drop a rulesheet in GDL; it is checked as you type."),
    el("a", { class: "button primary", href: "/rules" }, icon("edit"), "Write or paste"),
    el("button", { type: "button", class: "button", onclick: () => input.click() }, icon("upload"), "Choose a file"),
    input);
  node.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.includes("(")) {
      say("Rules pasted");
      handOver(text, go);
    }
  });
  return node;
}
