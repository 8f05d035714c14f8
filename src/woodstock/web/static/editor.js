// Edit a position by its fluents, and give it to others as a link or as JSON.

import { post } from "./api.js";
import { copy, download, el, fill, icon, toast } from "./dom.js";

/** Whether a text is one term of KIF: a word, or parentheses that match, and no variable. */
export function isTerm(text) {
  const pieces = text.match(/[()]|[^\s()]+/g) ?? [];
  let depth = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece.startsWith("?")) return false;
    depth += (piece === "(") - (piece === ")");
    if (depth < 0 || (depth === 0 && index < pieces.length - 1)) return false;
    if (piece === "(" && (pieces[index + 1] ?? ")") === ")") return false;
  }
  return pieces.length > 0 && depth === 0;
}

/** The panel that edits fluents; `onUse(fluents, view)` is told of a new position. */
export class Editor {
  constructor({ game, onUse }) {
    Object.assign(this, { game, onUse });
    this.fluents = [];
    this.list = el("ul", { class: "fluents", tabindex: "0", "aria-label": "Fluents that hold" });
    this.input = el("input", { type: "text", placeholder: "(cell 1 1 x)", autocomplete: "off", spellcheck: "false", "aria-describedby": "fluent-problem" });
    this.problem = el("p", { class: "bad", id: "fluent-problem", role: "alert" });
    const form = el("form", { class: "fluent-add", onsubmit: (event) => { event.preventDefault(); this.add(); } },
      el("label", { class: "field" }, el("span", {}, "Add a fluent"), this.input),
      el("button", { type: "submit", class: "button" }, icon("plus"), "Add"));
    this.node = el("details", { class: "card" }, el("summary", {}, "Edit the position"),
      el("p", { class: "muted" }, "What holds here, fluent by fluent. A changed position begins a new tree."),
      this.list, form, this.problem,
      el("div", { class: "row" },
        el("button", { type: "button", class: "button primary", onclick: () => this.use() }, icon("check"), "Use this position"),
        el("button", { type: "button", class: "button", onclick: () => this.show(this.known) }, "Undo the changes")));
  }

  show(fluents) {
    this.known = fluents;
    this.fluents = [...(fluents ?? [])];
    this.problem.textContent = "";
    this.node.hidden = !fluents;
    this.draw();
  }

  draw() {
    fill(this.list, this.fluents.map((fluent) => el("li", {}, el("code", {}, fluent),
      el("button", { type: "button", class: "plain", "aria-label": `Remove ${fluent}`, onclick: () => this.remove(fluent) }, icon("close")))));
  }

  remove(fluent) {
    this.fluents = this.fluents.filter((one) => one !== fluent);
    this.draw();
    this.list.focus();
  }

  add() {
    const text = this.input.value.trim().replace(/\s+/g, " ").replace(/\( /g, "(").replace(/ \)/g, ")");
    this.problem.textContent = "";
    if (!isTerm(text)) {
      this.problem.textContent = "Write one term without variables, such as (cell 1 1 x).";
    } else if (this.fluents.includes(text)) {
      this.problem.textContent = `${text} holds already.`;
    } else {
      this.fluents = [...this.fluents, text].sort();
      this.input.value = "";
      this.draw();
    }
    this.input.focus();
  }

  async use() {
    this.problem.textContent = "";
    try {
      const view = await post("/api/position", { game: this.game, fluents: this.fluents, line: [] }, { quiet: true });
      this.onUse([...this.fluents], view);
    } catch (problem) {
      this.problem.textContent = problem.message;
    }
  }
}

/** Buttons that copy the address and the JSON of a position; `position()` gives the latter. */
export function shareButtons({ address, position }) {
  const button = (label, text) => el("button", {
    type: "button", class: "button small",
    onclick: async () => toast((await copy(text())) ? "Copied." : "This browser does not let a page copy.", "good"),
  }, icon(label === "Link" ? "link" : "copy"), `Copy ${label}`);
  return el("div", { class: "row" },
    button("Link", address),
    button("JSON", () => JSON.stringify(position(), null, 1)),
    el("button", { type: "button", class: "button small", onclick: () => download("position.json", JSON.stringify(position(), null, 1)) }, icon("download"), "Save JSON"));
}
