// A match: the board, the seats, the moves, and everything a person may do at a table.

import { events, get, post } from "./api.js";
import { drawing, el, fill, icon, say, toast } from "./dom.js";
import { endPanel, hintPanel, knowledge, linksPanel, movesList, plain, seatsList } from "./panels.js";
import { seatForm } from "./seats.js";

const FORCED_PAUSE = 250;

/** Begin a match and go to it. */
export async function begin(request, go) {
  const made = await post("/api/tables", request);
  return go(`/play/${encodeURIComponent(made.table)}?key=${encodeURIComponent(made.owner)}`);
}

/** Show a match and keep it fresh; returns what ends that. */
export async function table(main, id, { query, go }) {
  const key = query.get("key") ?? "";
  const address = `/api/tables/${encodeURIComponent(id)}`;
  const first = await get(`${address}?key=${encodeURIComponent(key)}`, { quiet: true });
  const match = new Match(main, address, key, go);
  await match.open(first);
  return () => match.close();
}

class Match {
  constructor(main, address, key, go) {
    Object.assign(this, { main, address, key, go });
    this.now = null;
    this.looking = null;
    this.hint = null;
    this.thinking = {};
    this.sending = "";
    this.seen = [];
    this.views = new Map();
  }

  async open(first) {
    const { Board } = await import("./board.js").catch(() => ({ Board: PlainBoard }));
    this.title = el("h1", { class: "table-title" });
    this.status = el("p", { class: "table-status", role: "status", "aria-live": "polite" });
    this.boardBox = el("div", { class: "table-board", id: "board" });
    this.past = el("div", { class: "notice past", hidden: true });
    this.cover = el("div", { class: "card cover", hidden: true });
    this.seats = el("ul", { class: "seats", "aria-label": "Seats" });
    this.moves = el("ol", { class: "moves", "aria-label": "Moves", tabindex: "0" });
    this.walk = el("div", { class: "row walk", role: "group", "aria-label": "Look back" });
    this.actions = el("div", { class: "actions", role: "group", "aria-label": "Actions" });
    this.end = el("section", { class: "card end", "aria-label": "The end", hidden: true });
    this.hintBox = el("section", { class: "card hint", "aria-label": "Hint", hidden: true });
    this.know = el("section", { class: "card know", "aria-label": "What you know", hidden: true });
    this.links = el("section", { class: "card links", "aria-label": "Links for other people", hidden: true });
    this.problems = el("div", { class: "problems", role: "alert" });
    this.offline = el("p", { class: "notice warn", hidden: true, role: "status" }, "The connection is lost; trying again …");
    fill(this.main, el("div", { class: "split play table-page" },
      el("div", { class: "table-left" }, this.offline, this.problems, this.cover, this.boardBox, this.past),
      el("section", { class: "card table-top", "aria-label": "The match" }, this.title, this.status, this.seats),
      el("div", { class: "stack table-right" },
        this.end, this.actions, this.know, this.hintBox,
        el("section", { class: "card", "aria-labelledby": "moves-heading" },
          el("div", { class: "row spread" }, el("h2", { id: "moves-heading" }, "Moves"), this.walk), this.moves),
        this.links)));
    this.board = new Board(this.boardBox, {
      role: first.you?.length === 1 ? first.you[0] : null,
      onMove: (role, move) => this.play(role ?? this.mover(), move),
    });
    if (first.owner) this.invite = (await get("/api/about", { quiet: true }).catch(() => null))?.invite;
    this.update(first);
    this.stream = events(`${this.address}/events?key=${encodeURIComponent(this.key)}`, {
      open: () => this.connection(true),
      error: () => this.connection(false),
      table: (view) => this.update(view),
      problem: ({ error }) => fill(this.problems, el("p", { class: "notice bad" }, error)),
      thinking: (news) => {
        this.thinking[news.role] = news;
        if (!this.now.over) this.showSeats();
      },
    });
  }

  close() {
    this.stream?.close();
    clearTimeout(this.forced);
    clearTimeout(this.lost);
    this.board?.close?.();
  }

  connection(good) {
    clearTimeout(this.lost);
    if (good) this.offline.hidden = true;
    // A moment of patience: a stream that comes back at once need not move the page.
    else this.lost = setTimeout(() => (this.offline.hidden = false), 2500);
  }

  /** A new state of the table: from the stream, or as the answer to what was done. */
  update(view) {
    // The answer to a move may come after news of the stream that are newer.
    if (!view?.view || view.stamp < this.now?.stamp) return;
    const turned = !this.now || this.now.ply !== view.ply || this.now.line.length !== view.line.length;
    this.now = view;
    if (turned) {
      this.hint = null;
      this.thinking = {};
      this.looking = null;
      this.percepts();
    }
    this.handOver();
    document.title = `${this.mine().length && !view.over ? "• " : ""}${view.game.title} · WoodStock`;
    this.title.textContent = view.game.title;
    this.showStatus();
    this.showSeats();
    this.showActions();
    this.showBoard();
    this.showMoves();
    this.showRest();
    this.force();
  }

  /** Several people at one screen and something hidden: nobody looks with the eyes of another. */
  handOver() {
    const { eyes, you = [], over } = this.now;
    const cover = Boolean(eyes) && you.length > 1 && !over && this.shownEyes !== undefined && eyes !== this.shownEyes;
    if (!cover) this.shownEyes = eyes ?? undefined;
    this.cover.hidden = !cover;
    for (const part of [this.boardBox, this.know]) part.classList.toggle("covered", cover);
    if (!cover) return;
    const show = el("button", { type: "button", class: "button primary", onclick: () => { this.shownEyes = eyes; this.update(this.now); } }, icon("eye"), `I am ${eyes}: show it`);
    fill(this.cover, el("p", {}, `${eyes} chooses now, and may see what others may not.`), show);
  }

  /** The roles of this person that still have to choose. */
  mine() {
    const { you = [], waiting = [], moved = [], over } = this.now;
    return over ? [] : you.filter((role) => waiting.includes(role) && !moved.includes(role));
  }

  /** The role a click means: the one to choose, where several are at this screen. */
  mover() {
    const [first] = this.mine();
    return this.mine().find((role) => (this.now.view.moves?.[role]?.length ?? 0) > 1) ?? first;
  }

  percepts() {
    for (const role of this.now.you ?? []) {
      const got = this.now.view.percepts?.[role] ?? [];
      const last = this.seen.at(-1);
      if (got.length && last?.ply !== this.now.ply) this.seen.push({ ply: this.now.ply, role, got });
    }
    this.seen = this.seen.filter(({ ply }) => ply <= this.now.ply);
  }

  showStatus() {
    const { over, waiting = [], you = [], view } = this.now;
    const mine = this.mine();
    const missing = waiting.filter((role) => !mine.includes(role));
    const choosing = missing.filter((role) => view.turn?.includes(role));
    const others = choosing.length ? choosing : missing;
    let text = "";
    if (over) text = "The match is over.";
    else if (mine.length) {
      const role = this.mover();
      const several = you.length > 1 ? ` as ${role}` : "";
      text = view.moves?.[role]?.length === 1 ? `Only one move${several}.` : `Your turn${several}.`;
    } else if (others.length) text = `Waiting for ${others.join(" and ")} …`;
    else text = view.chance ? "Chance decides …" : "One moment …";
    this.status.classList.toggle("your-turn", mine.length > 0);
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  showSeats() {
    seatsList(this.seats, this.now, this.thinking);
  }

  showActions() {
    const { over, you = [], owner, ply, line } = this.now;
    const mine = this.mine();
    fill(this.actions,
      act("undo", "Take back", () => this.ask("undo", {}), !(you.length || owner) || !line.length),
      over ? null : act("hint", "Hint", () => this.askHint(), !mine.length),
      over ? null : act("flag", "Resign", () => this.resign(), !you.length),
      owner && !over ? act("people", "Seats", () => this.changeSeats()) : null,
      over || this.now.view.hidden ? null : act("chart", "Analyse", () => this.analyse(), false));
    this.actions.dataset.ply = ply;
  }

  async showBoard() {
    const { line, view, game } = this.now;
    const at = this.looking;
    if (at === null || at >= line.length) {
      this.past.hidden = true;
      const mine = this.mine();
      // Only what this person may choose now is offered: roles that have answered are left out.
      const moves = Object.fromEntries(Object.entries(view.moves ?? {}).filter(([role]) => mine.includes(role)));
      this.board.show({ ...view, moves }, { values: this.hintValues() });
      return;
    }
    const known = `${at}/${line.length}/${JSON.stringify(line.slice(0, at))}`;
    if (!this.views.has(known)) {
      const role = this.now.over ? null : (this.now.you?.[0] ?? null);
      this.views.set(known, await post("/api/position", { game: game.ref, line: line.slice(0, at), role }));
    }
    if (this.looking !== at) return;
    fill(this.past, el("span", {}, `Looking back: after ${at} of ${line.length} moves.`), " ",
      el("button", { type: "button", class: "button small", onclick: () => this.look(null) }, "Back to the match"));
    this.past.hidden = false;
    this.board.show({ ...this.views.get(known), moves: {} }, {});
  }

  /** Show an earlier position; null is the match as it stands. */
  look(at) {
    const { length } = this.now.line;
    this.looking = at === null || at >= length ? null : Math.max(0, at);
    this.showBoard().catch(() => {});
    this.showMoves();
  }

  showMoves() {
    const { line, view, over } = this.now;
    const at = this.looking ?? line.length;
    // What others did in a hidden game cannot be replayed before the end.
    const may = !view.hidden || over;
    movesList(this.moves, this.now, at, may ? (ply) => this.look(ply) : null);
    fill(this.walk, may ? [
      step("first", "First position", () => this.look(0), at === 0),
      step("back", "One back", () => this.look(at - 1), at === 0),
      step("forward", "One on", () => this.look(at + 1), at >= line.length),
      step("last", "The match now", () => this.look(null), at >= line.length),
    ] : null);
  }

  showRest() {
    knowledge(this.know, this.now, this.seen);
    linksPanel(this.links, this.now, this.invite);
    const texts = [this.now.problem, ...(this.now.errors ?? []).slice(-2)].filter(Boolean);
    fill(this.problems, texts.map((text) => el("p", { class: "notice bad" }, text)));
    const was = this.end.hidden;
    endPanel(this.end, this.now, {
      again: (turned) => this.again(turned), analyse: () => this.analyse(0), record: () => this.record(),
    });
    if (was && !this.end.hidden) say(this.end.textContent);
    hintPanel(this.hintBox, this.hint, this.now, {
      play: (role, move) => this.play(role, move), show: () => this.showBoard(), close: () => this.dropHint(),
    });
  }

  /** A move without a choice is sent by itself, so that nobody has to click `noop`. */
  force() {
    clearTimeout(this.forced);
    const role = this.mine().find((name) => {
      const moves = this.now.view.moves?.[name] ?? [];
      return moves.length === 1 && !(moves[0].places ?? []).length;
    });
    if (!role || this.sending === this.turnOf(role)) return;
    const { move } = this.now.view.moves[role][0];
    this.forced = setTimeout(() => this.play(role, move, true), FORCED_PAUSE);
  }

  /** What may be sent once: a role's move at this ply. News of the next one may come before the answer. */
  turnOf(role) {
    return `${this.now.ply} ${role}`;
  }

  async play(role, move, quiet = false) {
    const turn = this.turnOf(role);
    if (!role || this.sending === turn || this.looking !== null) return;
    clearTimeout(this.forced);
    this.sending = turn;
    this.boardBox.setAttribute("aria-busy", "true");
    let sent = false;
    try {
      const reply = await post(`${this.address}/move`, { key: this.key, ply: this.now.ply, role, move }, { quiet: true });
      sent = true;
      if (reply?.view) this.update(reply);
      if (!quiet) say(`${role}: ${plain(move)}`);
    } catch (problem) {
      // 409: the table has moved on in the meantime, the stream tells how.
      if (problem.status !== 409) toast(problem.message, "bad");
      this.update(await get(`${this.address}?key=${encodeURIComponent(this.key)}`).catch(() => null));
    } finally {
      if (this.sending === turn) {
        this.sending = "";
        this.boardBox.removeAttribute("aria-busy");
      }
      if (sent) this.force();
    }
  }

  async ask(what, body) {
    try {
      const reply = await post(`${this.address}/${what}`, { key: this.key, ...body });
      if (reply?.view) this.update(reply);
      return reply;
    } catch {
      return null;
    }
  }

  resign() {
    const [role] = this.mine().length ? this.mine() : this.now.you;
    if (window.confirm(`Resign as ${role}?`)) this.ask("resign", { role });
  }

  async askHint() {
    const role = this.mover();
    const ply = this.now.ply;
    this.hint = { role, busy: true };
    this.showRest();
    const decision = await this.ask("hint", { role, seconds: 1 });
    if (this.now.ply !== ply) return;
    this.hint = decision ? { role, decision: decision.decision ?? decision } : null;
    this.showRest();
    this.showBoard();
  }

  dropHint() {
    this.hint = null;
    this.showRest();
    this.showBoard();
  }

  hintValues() {
    const moves = this.hint?.decision?.moves;
    return moves ? Object.fromEntries(moves.map(({ move, value }) => [move, value])) : undefined;
  }

  async changeSeats() {
    const known = await get("/api/players");
    const { view, seats } = this.now;
    const form = seatForm(view.players, known, seats);
    const box = el("dialog", { "aria-labelledby": "seats-heading" });
    const done = async (save) => {
      if (save) await this.ask("seats", { seats: form.seats() });
      box.close();
    };
    fill(box, el("h2", { id: "seats-heading" }, "Change seats"), form.node,
      el("div", { class: "row dialog-end" },
        el("button", { type: "button", class: "button", onclick: () => done(false) }, "Leave as it is"),
        el("button", { type: "button", class: "button primary", onclick: () => done(true) }, "Change")));
    box.addEventListener("close", () => box.remove());
    document.body.append(box);
    box.showModal();
  }

  analyse(from) {
    const { line, game } = this.now;
    const upto = from ?? this.looking ?? line.length;
    const text = JSON.stringify(line.slice(0, from === 0 ? line.length : upto));
    this.go(`/analyse?game=${encodeURIComponent(game.ref)}&line=${encodeURIComponent(text)}`);
  }

  async record() {
    window.location.assign(`${this.address}/record?key=${encodeURIComponent(this.key)}`);
  }

  async again(turned) {
    const { seats, view, game } = this.now;
    const { players } = view;
    const shift = turned ? 1 : 0;
    const next = Object.fromEntries(players.map((role, index) => [role, { ...seats[players[(index + shift) % players.length]] }]));
    for (const seat of Object.values(next)) delete seat.name;
    await begin({ game: game.ref, seats: next }, this.go).catch(() => {});
  }
}

function act(mark, text, action, off = false) {
  return el("button", { type: "button", class: "button small", onclick: action, disabled: off }, icon(mark), text);
}

function step(mark, text, action, off) {
  return el("button", { type: "button", class: "plain", "aria-label": text, title: text, onclick: action, disabled: off }, icon(mark));
}

/** A drawing and a list of moves: what is left when the real board cannot be loaded. */
class PlainBoard {
  constructor(box, { onMove }) {
    Object.assign(this, { box, onMove });
  }

  show(view) {
    fill(this.box, drawing(view.svg ?? "") ?? el("pre", {}, view.text ?? ""),
      el("div", { class: "row" }, Object.entries(view.moves ?? {}).flatMap(([role, moves]) =>
        moves.map(({ move, label }) => el("button", { type: "button", class: "button small", onclick: () => this.onMove(role, move) }, label ?? move)))));
  }
}
