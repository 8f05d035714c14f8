// A board of any game: click, drag or use the keyboard where moves have places; a list has all of them.

import { drawing, el, fill, svg } from "./dom.js";

const LISTED = 60;
const DRAG = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The board of one position. `onMove(role, move)` hears what the person chose. */
export class Board {
  constructor(container, { onMove = () => {}, role = null } = {}) {
    Object.assign(this, { container, onMove, role });
    this.view = null;
    this.chosen = [];
    this.filter = "";
    this.figure = el("div", { class: "board-figure" });
    this.chooser = el("div", { class: "board-chooser card", role: "group", "aria-label": "Which move?", hidden: true });
    this.said = el("p", { class: "offstage", role: "status", "aria-live": "polite" });
    this.search = el("input", {
      type: "search", class: "board-search", placeholder: "Find a move", "aria-label": "Find a move",
      autocomplete: "off", spellcheck: "false",
      oninput: () => { this.filter = this.search.value; this.showList(); },
      onkeydown: (event) => { if (event.key === "Enter") this.enter(); },
    });
    this.listed = el("ul", { class: "board-list" });
    this.more = el("p", { class: "muted board-more" });
    this.list = el("section", { class: "board-moves", "aria-label": "Your moves" }, this.search, this.listed, this.more);
    fill(container, el("div", { class: "board" }, this.figure, this.chooser, this.said), this.list);
    this.figure.addEventListener("click", (event) => this.click(event));
    this.figure.addEventListener("keydown", (event) => this.key(event));
    this.figure.addEventListener("pointerdown", (event) => this.grab(event));
    this.away = (event) => { if (event.key === "Escape") this.letGo(); };
    document.addEventListener("keydown", this.away);
  }

  /** Show a position; `values` has what moves are worth (0 to 1), `marks` texts on places. */
  show(view, { values = {}, marks = {} } = {}) {
    const same = this.view && this.view.svg === view.svg && this.view.ply === view.ply;
    Object.assign(this, { view, values: values ?? {}, marks: marks ?? {} });
    this.moves = Object.entries(view.moves ?? {}).flatMap(([role, moves]) => moves.map((move) => ({ ...move, role })));
    if (!same) {
      this.chosen = [];
      this.filter = this.search.value = "";
      this.draw();
    }
    this.refresh();
    const last = Object.entries(view.last?.moves ?? {}).filter(([, move]) => move && move !== "noop");
    if (!same && last.length) this.said.textContent = last.map(([role, move]) => `${role}: ${plain(move)}`).join(", ");
  }

  close() {
    document.removeEventListener("keydown", this.away);
  }

  draw() {
    const focused = this.figure.contains(document.activeElement) ? document.activeElement.dataset?.place : null;
    const picture = drawing(this.view.svg ?? "");
    fill(this.figure, picture ?? el("pre", {}, this.view.text ?? ""));
    this.picture = picture;
    this.cells = new Map();
    if (!picture) return;
    picture.classList.add("board-svg");
    // A wide board may be wider than the page; it never grows beyond twice its drawn size.
    picture.setAttribute("aria-label", this.view.text ?? "");
    picture.setAttribute("role", "group");
    const [width] = [Number(picture.getAttribute("width"))];
    if (width) this.figure.style.setProperty("--drawn", `${width}px`);
    for (const cell of picture.querySelectorAll("[data-place]")) this.cells.set(cell.dataset.place, cell);
    // Who plays by the keyboard stays on the board, though its cells are new.
    if (focused) this.held = true;
    if (!this.cells.has(this.current)) this.current = focused && this.cells.has(focused) ? focused : null;
  }

  refresh() {
    this.chooser.hidden = true;
    this.showCells();
    this.showList();
  }

  /** The moves that agree with the places chosen so far. */
  open() {
    return this.moves.filter((move) => this.chosen.every((place, index) => move.places[index] === place));
  }

  /** Places that can be pointed at now, each with its moves. */
  targets() {
    const found = new Map();
    const add = (place, move) => found.set(place, [...(found.get(place) ?? []), move]);
    for (const move of this.open()) {
      const next = move.places[this.chosen.length];
      if (next !== undefined) add(next, move);
      else if (!this.chosen.length) (move.area ?? []).forEach((place) => add(place, move));
    }
    return found;
  }

  showCells() {
    if (!this.picture) return;
    this.picture.querySelectorAll(".board-mark").forEach((mark) => mark.remove());
    const targets = this.targets();
    const last = new Set(this.view.last?.places ?? []);
    const values = this.cellValues();
    const pointed = [...targets.keys()];
    const here = targets.has(this.current) || this.chosen.includes(this.current) ? this.current : this.nearest(pointed);
    for (const [place, cell] of this.cells) {
      const may = targets.has(place) || this.chosen.includes(place);
      const name = [...cell.children].find((child) => child.localName === "g")?.querySelector("title")?.textContent;
      cell.classList.toggle("may", may);
      if (may) cell.setAttribute("role", "button");
      else cell.removeAttribute("role");
      if (may) cell.setAttribute("aria-label", `${name ?? cell.dataset.name}${this.chosen.at(-1) === place ? ", chosen" : ""}`);
      else cell.removeAttribute("aria-label");
      if (may) cell.setAttribute("tabindex", place === here ? "0" : "-1");
      else cell.removeAttribute("tabindex");
      const box = inner(cell);
      if (!box) continue;
      if (last.has(place)) cell.append(frame(box, "last"));
      if (this.chosen.includes(place)) cell.append(frame(box, "chosen"));
      if (targets.has(place) && this.chosen.length) cell.append(dot(box, Boolean(name)));
      else if (targets.has(place)) cell.append(frame(box, "target"));
      if (values.has(place)) cell.append(...bar(box, values.get(place)));
      if (this.marks[place] !== undefined) cell.append(text(box, String(this.marks[place])));
    }
    if (this.held && here) {
      this.held = false;
      if (document.activeElement === document.body) this.cells.get(here).focus({ preventScroll: true });
    }
  }

  /** Of some places the one that is nearest to where the keyboard was; the first where it was nowhere. */
  nearest(places) {
    const from = this.cells.get(this.current);
    if (!from) return places[0];
    const { x, y } = centre(from);
    const far = (place) => Math.hypot(centre(this.cells.get(place)).x - x, centre(this.cells.get(place)).y - y);
    return places.filter((place) => this.cells.has(place)).sort((a, b) => far(a) - far(b))[0];
  }

  /** What the best move to each place is worth; with a chosen piece, of that piece alone. */
  cellValues() {
    const found = new Map();
    for (const move of this.open()) {
      const value = this.values[move.move];
      const place = move.places.at(-1) ?? move.area?.[0];
      if (value === undefined || place === undefined) continue;
      found.set(place, Math.max(found.get(place) ?? 0, value));
    }
    return found;
  }

  click(event) {
    const cell = event.target.closest?.("[data-place]");
    if (this.dragged) this.dragged = false;
    else if (cell) this.choose(cell.dataset.place);
    else this.letGo();
  }

  /** Point at a place: the next one of a move, or the only one. */
  choose(place) {
    this.current = place;
    if (this.chosen.at(-1) === place && this.open().every((move) => move.places[this.chosen.length] !== place)) {
      const whole = this.open().filter((move) => move.places.length === this.chosen.length);
      if (whole.length) this.decide(whole);
      else this.letGo();
      return;
    }
    let moves = this.targets().get(place);
    if (!moves && this.chosen.length) {
      // Another piece instead.
      this.chosen = [];
      moves = this.targets().get(place);
    }
    if (!moves) {
      // Where something can go, though from elsewhere.
      moves = this.chosen.length ? [] : this.moves.filter((move) => move.places.at(-1) === place);
      if (moves.length) this.decide(moves);
      else this.refresh();
      return;
    }
    const whole = moves.filter((move) => move.places.length <= this.chosen.length + 1);
    if (whole.length === moves.length) {
      this.decide(whole);
      return;
    }
    this.chosen.push(place);
    this.said.textContent = `${this.cells.get(place)?.dataset.name ?? place} chosen`;
    this.refresh();
    this.cells.get(place)?.focus({ preventScroll: true });
  }

  /** One of some moves: at once where there is no choice. */
  decide(moves) {
    if (moves.length === 1) {
      this.play(moves[0]);
      return;
    }
    this.refresh();
    fill(this.chooser, el("p", {}, "Which move?"), el("div", { class: "row" }, moves.slice(0, 24).map((move) => this.button(move)),
      el("button", { type: "button", class: "button small", onclick: () => this.letGo() }, "None")));
    this.chooser.hidden = false;
    this.chooser.querySelector("button")?.focus();
  }

  play(move) {
    this.chosen = [];
    this.chooser.hidden = true;
    this.onMove(move.role, move.move);
    this.refresh();
  }

  letGo() {
    if (!this.chosen.length && this.chooser.hidden) return;
    this.chosen = [];
    this.refresh();
  }

  /** Arrow keys go to the nearest cell that can be taken in that direction; Enter takes it. */
  key(event) {
    const cell = event.target.closest?.("[data-place]");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(cell.dataset.place);
      return;
    }
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const from = centre(cell);
    let best = null;
    for (const other of this.cells.values()) {
      if (other === cell || !other.hasAttribute("tabindex")) continue;
      const at = centre(other);
      const [dx, dy] = [at.x - from.x, at.y - from.y];
      const ahead = dx * step[0] + dy * step[1];
      if (ahead <= 1) continue;
      const cost = ahead + 3 * Math.abs(dx * step[1] + dy * step[0]);
      if (!best || cost < best.cost) best = { cost, other };
    }
    if (!best) return;
    cell.setAttribute("tabindex", "-1");
    best.other.setAttribute("tabindex", "0");
    this.current = best.other.dataset.place;
    best.other.focus();
  }

  /** Take a piece by the pointer and carry it to where it goes. */
  grab(event) {
    this.dragged = false;
    const cell = event.target.closest?.("[data-place]");
    if (!cell || event.button !== 0) return;
    const from = cell.dataset.place;
    const may = this.moves.some((move) => move.places[0] === from && move.places.length > 1);
    if (!may) return;
    const start = { x: event.clientX, y: event.clientY };
    let ghost = null;
    const carry = (now) => {
      const [dx, dy] = [now.clientX - start.x, now.clientY - start.y];
      if (!ghost && Math.hypot(dx, dy) < DRAG) return;
      if (!ghost) {
        if (this.chosen[0] !== from) { this.chosen = []; this.choose(from); }
        const piece = [...cell.children].find((child) => child.localName === "g") ?? cell.firstElementChild;
        ghost = piece.cloneNode(true);
        ghost.classList.add("board-ghost");
        cell.parentNode.append(ghost);
      }
      const scale = this.picture.getScreenCTM()?.a || 1;
      ghost.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
    };
    const drop = (now) => {
      removeEventListener("pointermove", carry);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
      if (!ghost) return;
      ghost.remove();
      this.dragged = true;
      setTimeout(() => (this.dragged = false));
      const to = document.elementFromPoint(now.clientX, now.clientY)?.closest?.("[data-place]")?.dataset.place;
      if (to && to !== from && this.targets().has(to)) this.choose(to);
      else if (to !== from) this.letGo();
    };
    addEventListener("pointermove", carry);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  button(move) {
    const value = this.values[move.move];
    return el("button", { type: "button", class: "button small board-move", dataset: { move: move.move, role: move.role }, onclick: () => this.play(move) },
      move.label ?? move.move, value === undefined ? null : el("span", { class: "muted" }, ` ${Math.round(100 * value)}`));
  }

  matching() {
    const wanted = this.filter.toLowerCase().replace(/[()\s]+/g, " ").trim();
    return this.moves.filter((move) => plain(move.move).toLowerCase().includes(wanted));
  }

  showList() {
    const found = this.matching();
    this.list.hidden = !this.moves.length;
    this.search.hidden = this.moves.length < 8;
    const roles = new Set(this.moves.map((move) => move.role));
    fill(this.listed, found.slice(0, LISTED).map((move) =>
      el("li", {}, roles.size > 1 ? el("span", { class: "muted" }, `${move.role} `) : null, this.button(move))));
    this.more.hidden = found.length > 0 && found.length <= LISTED;
    this.more.textContent = found.length ? `and ${found.length - LISTED} more: type to find them` : "No legal move has this in it.";
  }

  enter() {
    const found = this.matching();
    const exact = found.filter((move) => plain(move.move).toLowerCase() === plain(this.filter).toLowerCase());
    const one = exact.length === 1 ? exact : found;
    if (one.length === 1) this.play(one[0]);
  }
}

function plain(move) {
  return String(move).replace(/[()]/g, " ").replace(/\s+/g, " ").trim();
}

/** The shape of the cell itself: what lies on it may be smaller or larger. */
function inner(cell) {
  try {
    const box = cell.firstElementChild?.getBBox();
    // A board that is covered has no size.
    return box?.width ? box : null;
  } catch {
    return null;
  }
}

function centre(cell) {
  const box = cell.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function frame({ x, y, width, height }, kind) {
  return svg("rect", { class: `board-mark ${kind}`, x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3, rx: 3 });
}

function dot({ x, y, width, height }, taken) {
  const size = Math.min(width, height);
  return svg("circle", { class: `board-mark ${taken ? "ring" : "dot"}`, cx: x + width / 2, cy: y + height / 2, r: size * (taken ? 0.44 : 0.16) });
}

function bar({ x, y, width, height }, value) {
  const long = Math.max(0, Math.min(1, value)) * (width - 6);
  return [
    svg("rect", { class: "board-mark bar-back", x: x + 3, y: y + height - 9, width: width - 6, height: 6, rx: 2 }),
    svg("rect", { class: "board-mark bar", x: x + 3, y: y + height - 9, width: long, height: 6, rx: 2 }),
    svg("text", { class: "board-mark bar-text", x: x + width / 2, y: y + 11, "text-anchor": "middle", "font-size": 10 }, Math.round(100 * value)),
  ];
}

function text({ x, y, width, height }, label) {
  return svg("text", { class: "board-mark bar-text", x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle", "font-size": 12 }, label);
}
