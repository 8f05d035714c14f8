// One search at work on a position: its values as they improve, its line, what it proved.

import { events, post } from "./api.js";
import { chosen, el, fill } from "./dom.js";
import { bare, words } from "./tree.js";

const SHOWN = 200;

/** A job of the server; `progress`, `done` and `failed` are told. Returns an object with `stop()`. */
export async function runJob(request, { progress = () => {}, done = () => {}, failed = () => {} }) {
  let stream = null;
  let over = false;
  const { job } = await post("/api/analyse", request);
  const end = (tell) => (told) => {
    if (over) return;
    over = true;
    stream?.close();
    tell(told);
  };
  stream = events(`/api/jobs/${job}/events`, {
    progress: (told) => { if (!over) progress(told); },
    done: end(done),
    failed: end(({ error }) => failed(error)),
    error: (again) => { if (!again) end(failed)("The server does not answer."); },
  });
  return {
    stop() {
      if (!over) post(`/api/jobs/${job}/stop`, {}, { quiet: true }).catch(() => {});
    },
    leave() {
      this.stop();
      over = true;
      stream.close();
    },
  };
}

/** What is proved of a move, in words; empty where nothing is. */
export function proof({ proved, value, lower = 0, upper = 1 }) {
  if (proved) {
    if (value >= 0.999) return "proved win";
    if (value <= 0.001) return "proved loss";
    if (Math.abs(value - 0.5) < 0.001) return "proved draw";
    return `proved ${percent(value)}`;
  }
  if (lower <= 0 && upper >= 1) return "";
  return `${percent(lower)} to ${percent(upper)}`;
}

export function percent(value) {
  const hundredths = 100 * value;
  return Math.abs(hundredths - Math.round(hundredths)) < 0.05 ? String(Math.round(hundredths)) : hundredths.toFixed(1);
}

/** A bar of a length between 0 and 1. */
export function bar(value) {
  const part = `${100 * Math.max(0, Math.min(1, value))}%`;
  return el("div", { class: "thinker-bar", "aria-hidden": "true" }, el("span", { style: { "--part": part } }));
}

/** A column of the page: the chooser of a player, what it says, and its moves. */
export class Thinker {
  constructor({ players, player, label, onPlay, onLine, onTold, onState = () => {} }) {
    Object.assign(this, { onPlay, onLine, onTold, onState });
    this.job = null;
    this.turn = 0;
    this.told = null;
    this.select = el("select", { "aria-label": label, value: player },
      players.map(({ name, about }) => el("option", { value: name, title: about }, name)));
    this.head = el("div", { class: "thinker-head" });
    this.figures = el("p", { class: "thinker-figures muted" });
    this.rows = el("div", { class: "thinker-moves", tabindex: "0", role: "region", "aria-label": `Moves and their values, ${label}` });
    this.line = el("ol", { class: "thinker-line", "aria-label": "Best line" });
    this.notes = el("p", { class: "thinker-notes muted" });
    this.node = el("section", { class: "thinker", "aria-label": label },
      el("label", { class: "field" }, el("span", {}, label), this.select),
      this.head, this.figures, this.rows, el("h3", { class: "offstage" }, "Best line"), this.line, this.notes);
    this.clear();
  }

  get player() {
    return this.select.value;
  }

  get busy() {
    return this.job !== null;
  }

  clear(text = "Not analysed yet.") {
    this.told = null;
    fill(this.head, el("span", { class: "muted" }, text));
    fill(this.figures);
    fill(this.rows);
    fill(this.line);
    fill(this.notes);
  }

  /** Think about a position; `roles` are those of the game, in order. */
  async start(request, roles) {
    this.leave();
    const mine = ++this.turn;
    this.roles = roles;
    this.clear(`${this.player} is thinking …`);
    const current = () => mine === this.turn;
    this.job = { stop() {}, leave() {} };
    this.onState();
    const finish = () => {
      this.job = null;
      this.onState();
    };
    try {
      const job = await runJob({ ...request, player: this.player }, {
        progress: (told) => { if (current()) this.show(told, false); },
        done: (told) => { if (current()) { this.show(told, true); finish(); } },
        failed: (error) => { if (current()) { this.fail(error); finish(); } },
      });
      if (!current()) job.leave();
      else if (this.job) this.job = job;
    } catch (problem) {
      if (current()) { this.fail(problem.message); finish(); }
    }
  }

  stop() {
    this.job?.stop();
  }

  /** Walk away: what comes later is for nobody. */
  leave() {
    this.turn += 1;
    this.job?.leave();
    this.job = null;
  }

  fail(error) {
    fill(this.head, el("span", { class: "bad", role: "alert" }, error));
  }

  show(told, done) {
    if (told.working && !told.moves) {
      fill(this.head, el("span", { class: "muted" }, `working ${told.working} …`));
      return;
    }
    this.told = told;
    const value = told.value;
    fill(this.head,
      value === undefined ? null : el("span", { class: "thinker-value" }, percent(value)),
      el("span", {}, `for ${told.role}`),
      told.proved ? el("span", { class: "badge good" }, proof(told)) : null,
      done ? null : el("span", { class: "badge" }, "thinking"));
    fill(this.figures, told.chance ? "What chance may do" : figures(told), told.knows ? ` · knows ${told.knows}` : "");
    if (told.chance) this.showChance(told);
    else this.showMoves(told);
    this.showLine(told);
    fill(this.notes, (told.notes ?? []).join(" · "));
    this.onTold(told, done);
  }

  showMoves(told) {
    const mixed = told.moves.some(({ share, value }) => share > 0.02 && share < 0.98 && value !== told.moves[0].value) && told.depth === 0;
    const rows = told.moves.slice(0, SHOWN).map((one, index) => el("tr", { class: index ? "" : "best" },
      el("td", {}, el("button", { type: "button", class: "thinker-move", onclick: () => this.onPlay(told.role, one.move) }, bare(one.move)), index ? null : chosen()),
      el("td", {}, bar(one.value)),
      el("td", { class: "number" }, percent(one.value)),
      el("td", { class: "number muted" }, mixed ? `${percent(one.share)} %` : short(one.visits)),
      el("td", { class: "muted" }, proof(one))));
    const hidden = told.moves.length - rows.length + (told.more ?? 0);
    this.fillRows(["move", ["value", 2], mixed ? "share" : "visits", "proof"], rows, hidden > 0 ? `and ${hidden.toLocaleString("en")} more` : "");
  }

  showChance(told) {
    const rows = told.chance.slice(0, SHOWN).map((one) => {
      const value = one.values?.[told.role];
      return el("tr", {},
        el("td", {}, el("button", { type: "button", class: "thinker-move", onclick: () => this.onPlay(null, one.move) }, bare(one.move))),
        el("td", { class: "number" }, `${percent(one.probability)} %`),
        el("td", {}, value === undefined ? null : bar(value)),
        el("td", { class: "number" }, value === undefined ? "" : percent(value)),
        el("td", { class: "muted" }, one.proved ? "proved" : one.by ?? ""));
    });
    this.fillRows(["outcome", "chance", ["value after it", 2], "by"], rows, "");
  }

  fillRows(heads, rows, more) {
    // A button that has the focus keeps it although the rows are made anew.
    const focused = this.rows.contains(document.activeElement) ? document.activeElement.textContent : null;
    const top = this.rows.scrollTop;
    fill(this.rows, el("table", { class: "table" },
      el("thead", {}, el("tr", {}, heads.map((one) => (Array.isArray(one) ? el("th", { scope: "col", colspan: one[1] }, one[0]) : el("th", { scope: "col" }, one))))),
      el("tbody", {}, rows)), more ? el("p", { class: "muted" }, more) : null);
    this.rows.scrollTop = top;
    if (focused) [...this.rows.querySelectorAll("button")].find((one) => one.textContent === focused)?.focus({ preventScroll: true });
  }

  showLine({ line = [] }) {
    const focused = this.line.contains(document.activeElement) ? [...this.line.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    fill(this.line, line.slice(0, 16).map((joint, index) => el("li", {},
      el("button", { type: "button", class: "tree-move", title: "Play the line up to here", onclick: () => this.onLine(line.slice(0, index + 1)) }, words(joint, this.roles)))));
    if (focused >= 0) this.line.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
  }
}

function figures({ simulations = 0, nodes = 0, depth = 0, seconds = 0 }) {
  return `${short(simulations)} simulations · ${short(nodes)} nodes · depth ${depth} · ${seconds.toFixed(1)} s`;
}

function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e4) return `${(count / 1e3).toFixed(0)} k`;
  return count.toLocaleString("en");
}
