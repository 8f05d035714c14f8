// A recorded or running match: the board at any ply, its moves, players, mistakes and times.

import { post } from "./api.js";
import { Board } from "./board.js";
import { el, fill, icon, toast } from "./dom.js";

const PACE = [2000, 1000, 500, 200];
const AHEAD = 3;
const KEPT = 400;

/** Moves as people read them. */
export function plain(move) {
  return String(move).replace(/^\(|\)$/g, "");
}

/** A name for a game reference. */
export function gameName(ref) {
  if (!ref) return "";
  return ref.startsWith("sha256:") ? `own rules ${ref.slice(7, 15)}` : ref;
}

/** Shows one match. `show(match)` may be called again with a longer one: who looks at the end stays there. */
export class Replay {
  constructor(container, { onGame = null } = {}) {
    Object.assign(this, { container, onGame });
    this.match = null;
    this.ply = 0;
    this.asked = 0;
    this.views = new Map();
    this.timer = 0;
    this.build();
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.pause();
    this.closed = true;
    this.board.close?.();
    document.removeEventListener("keydown", this.keys);
  }

  build() {
    const button = (name, label, action) =>
      el("button", { type: "button", class: "button", "aria-label": label, title: label, onclick: action }, icon(name));
    this.playing = button("play", "Play", () => (this.timer ? this.pause() : this.run()));
    this.slider = el("input", { type: "range", min: 0, max: 0, step: 1, value: 0, class: "replay-slider", "aria-label": "Ply",
      oninput: () => { this.pause(); this.go(Number(this.slider.value)); } });
    this.counter = el("span", { class: "replay-counter muted" }, "0 / 0");
    this.pace = el("select", { "aria-label": "Speed", class: "replay-pace", onchange: () => { if (this.timer) this.run(); } },
      PACE.map((pace) => el("option", { value: pace, selected: pace === 1000 }, `${1000 / pace} a second`)));
    this.controls = el("div", { class: "replay-controls", role: "group", "aria-label": "Step through the match" },
      el("div", { class: "row replay-buttons" },
        button("first", "First position", () => { this.pause(); this.go(0); }),
        button("back", "One move back", () => { this.pause(); this.go(this.ply - 1); }),
        this.playing,
        button("forward", "One move on", () => { this.pause(); this.go(this.ply + 1); }),
        button("last", "Last position", () => { this.pause(); this.go(this.length()); }),
        this.pace),
      el("div", { class: "replay-slide" }, this.slider, this.counter));
    const place = el("div", { class: "replay-board" });
    this.board = new Board(place, { role: null });
    this.said = el("p", { class: "replay-said", "aria-live": "polite" }, "\u00a0");
    this.trouble = el("div", { hidden: true });
    this.title = el("h1", {}, "\u00a0");
    this.under = el("p", { class: "muted replay-under" }, "\u00a0");
    this.seats = el("div", { class: "scroll" });
    this.moves = el("ol", { class: "replay-moves", "aria-label": "Moves" });
    this.actions = el("div", { class: "row" });
    fill(this.container, el("div", { class: "split replay" },
      el("div", { class: "stack" }, el("div", { class: "card" }, this.trouble, place, this.said), this.controls),
      el("div", { class: "stack" },
        el("section", { class: "card", "aria-label": "The match" }, this.title, this.under, this.seats),
        this.actions,
        el("section", { class: "card", "aria-label": "Moves" }, el("h2", {}, "Moves"), this.moves))));
  }

  length() {
    return this.match?.line.length ?? 0;
  }

  /** Show a match; `ply` says where to begin (the first time). */
  show(match, { ply = null } = {}) {
    const before = this.match;
    const atEnd = before && this.ply === before.line.length;
    if (before && (before.game !== match.game || !agree(before.line, match.line))) this.views.clear();
    this.match = match;
    this.slider.max = this.length();
    this.head();
    this.list();
    this.links();
    if (!before) this.go(ply ?? 0);
    else this.go(atEnd ? this.length() : this.ply);
  }

  head() {
    const { match } = this;
    const name = match.title || gameName(match.game) || match.named_game || "A match";
    this.title.textContent = name;
    const state = match.aborted ? "broken off" : match.over ? "over" : "running";
    const when = match.started ? new Date(match.started).toLocaleString() : "";
    const clock = match.clocks?.length === 2 ? `${match.clocks[0]} s to prepare, ${match.clocks[1]} s a move` : "";
    const facts = [match.name, when, clock, match.note, match.problem].filter(Boolean).join(" · ");
    fill(this.under, el("span", { class: `badge ${match.over ? (match.aborted ? "bad" : "") : "good"}` }, state), " ", facts);
    const roles = this.view?.roles ?? [];
    const rows = match.seats.map((seat, number) => ({ ...seat, role: seat.role ?? roles[number] ?? `role ${number + 1}` }));
    const shown = rows.length ? rows : roles.map((role) => ({ role, name: "", goal: null, mistakes: 0 }));
    fill(this.seats, shown.length === 0 ? null : el("table", { class: "table" },
      el("thead", {}, el("tr", {}, ["Role", "Player"].map((text) => el("th", { scope: "col" }, text)),
        ["Goal", "Mistakes"].map((text) => el("th", { scope: "col", class: "number" }, text)))),
      el("tbody", {}, shown.map((seat) => el("tr", {}, el("td", {}, seat.role), el("td", {}, seat.name || "–"),
        el("td", { class: "number" }, seat.goal ?? "–"), el("td", { class: "number" }, seat.mistakes || "–"))))));
  }

  list() {
    const { match } = this;
    const old = this.moves.children.length;
    const from = agree(this.listed ?? [], match.line) ? old : 0;
    if (from === 0) this.moves.replaceChildren();
    for (let number = from; number < match.line.length; number += 1) this.moves.append(this.entry(number));
    this.listed = match.line;
  }

  entry(number) {
    const { line, errors, times } = this.match;
    const joint = line[number];
    const chosen = joint.filter((move) => move !== "noop");
    const wrong = (errors?.[number] ?? []).filter(Boolean);
    const spent = times?.length > number + 1 ? (times[number + 1] - times[number]) / 1000 : null;
    return el("li", {}, el("button", { type: "button", class: "replay-move", onclick: () => { this.pause(); this.go(number + 1); } },
      el("span", { class: "muted replay-number" }, number + 1),
      el("span", { class: "replay-text" }, (chosen.length ? chosen : joint).map(plain).join(", ")),
      wrong.length ? el("span", { class: "badge bad", title: wrong.join("; ") }, wrong.map((text) => text.slice(0, 40)).join("; ")) : null,
      spent !== null && spent >= 0 ? el("span", { class: "muted replay-time" }, `${spent < 10 ? spent.toFixed(1) : Math.round(spent)} s`) : null));
  }

  links() {
    const { match } = this;
    if (!match.game || this.linked === match.game) return;
    this.linked = match.game;
    const at = `?game=${encodeURIComponent(match.game)}`;
    fill(this.actions,
      el("a", { class: "button primary", href: `/analyse${at}`, onclick: () => this.remember() }, icon("chart"), "Analyse from here"),
      el("a", { class: "button", href: `/play/new${at}`, onclick: (event) => this.playOn(event, at) }, icon("play"), "Play on from here"));
  }

  remember() {
    const { game, line, values } = this.match;
    const value = { game, line: line.slice(0, this.ply), values: (values ?? []).slice(0, this.ply + 1), whole: line };
    try {
      sessionStorage.setItem("woodstock.analyse", JSON.stringify(value));
    } catch {
      toast("The browser keeps nothing for this page: the analysis begins at the first position.", "bad");
    }
  }

  playOn(event, at) {
    const line = encodeURIComponent(JSON.stringify(this.match.line.slice(0, this.ply)));
    event.currentTarget.href = `/play/new${at}&line=${line}`;
  }

  async go(ply) {
    this.ply = Math.max(0, Math.min(ply, this.length()));
    this.slider.value = this.ply;
    this.slider.setAttribute("aria-valuetext", `Ply ${this.ply} of ${this.length()}`);
    this.counter.textContent = `${this.ply} / ${this.length()}`;
    this.mark();
    const asked = ++this.asked;
    if (!this.match.game) {
      this.onGame?.();
      return;
    }
    try {
      const view = await this.at(this.ply);
      if (asked !== this.asked || this.closed) return;
      const first = !this.view;
      this.view = view;
      this.trouble.hidden = true;
      this.board.show({ ...view, moves: {} });
      this.describe(view);
      if (first) this.head();
      for (let next = this.ply + 1; next <= Math.min(this.ply + AHEAD, this.length()); next += 1) this.at(next).catch(() => {});
    } catch (problem) {
      if (asked !== this.asked || this.closed) return;
      this.pause();
      this.trouble.hidden = false;
      fill(this.trouble, el("div", { class: "notice bad", role: "alert" }, el("p", {}, problem.message),
        el("p", {}, "The moves may be of another game, or of other rules with the same name.")));
      this.onGame?.(problem);
    }
  }

  /** The view of a ply, asked for once. */
  at(ply) {
    if (!this.views.has(ply)) {
      if (this.views.size > KEPT) this.views.delete(this.views.keys().next().value);
      const asked = post("/api/position", { game: this.match.game, line: this.match.line.slice(0, ply) }, { quiet: true });
      asked.catch(() => this.views.delete(ply));
      this.views.set(ply, asked);
    }
    return this.views.get(ply);
  }

  describe(view) {
    const made = this.ply ? this.match.line[this.ply - 1] : null;
    const parts = [];
    if (made) {
      const said = made.map((move, number) => [view.roles?.[number] ?? number + 1, move]).filter(([, move]) => move !== "noop");
      parts.push((said.length ? said : [["all", "noop"]]).map(([role, move]) => `${role}: ${plain(move)}`).join(", "));
    }
    if (view.terminal) {
      const goals = Object.entries(view.goals ?? {}).map(([role, goal]) => `${role} ${goal}`).join(", ");
      parts.push(`The end. ${goals}${view.reason ? `: ${view.reason}` : ""}`);
    } else if (!made) parts.push(view.turn?.length ? `The first position; ${view.turn.join(" and ")} to move` : "The first position");
    this.said.textContent = parts.join(" · ") || "\u00a0";
  }

  mark() {
    for (const old of this.moves.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const entry = this.moves.children[this.ply - 1]?.firstElementChild;
    if (!entry) {
      if (this.ply === 0) this.moves.scrollTop = 0;
      return;
    }
    entry.setAttribute("aria-current", "step");
    // Only the list is scrolled, never the page.
    const { offsetTop, offsetHeight } = entry.parentNode;
    const { scrollTop, clientHeight } = this.moves;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.moves.scrollTop = offsetTop - clientHeight / 2;
    }
  }

  run() {
    clearTimeout(this.timer);
    if (this.ply >= this.length()) this.go(0);
    const step = async () => {
      await this.go(this.ply + 1);
      if (!this.timer) return;
      if (this.ply >= this.length()) this.pause();
      else this.timer = setTimeout(step, Number(this.pace.value));
    };
    this.timer = setTimeout(step, Number(this.pace.value));
    fill(this.playing, icon("stop"));
    this.playing.setAttribute("aria-label", "Pause");
    this.playing.title = "Pause";
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    fill(this.playing, icon("play"));
    this.playing.setAttribute("aria-label", "Play");
    this.playing.title = "Play";
  }

  key(event) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea, dialog, [data-place]")) return;
    const go = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.length() }[event.key];
    if (go !== undefined) {
      event.preventDefault();
      this.pause();
      this.go(go);
    } else if (event.key === " " && !event.target.closest?.("button, a, summary")) {
      event.preventDefault();
      if (this.timer) this.pause();
      else this.run();
    }
  }
}

/** Whether a line goes on another. */
function agree(before, after) {
  return before.length <= after.length && before.every((joint, number) => joint.join(" ") === after[number].join(" "));
}
