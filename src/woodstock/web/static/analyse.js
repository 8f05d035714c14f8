// Analyse any position: values of all moves, variations, the graph of a match, plans and chance.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { el, fill, icon, say, toast } from "./dom.js";
import { Editor, shareButtons } from "./editor.js";
import { showGraph } from "./graph.js";
import { PlanPanel } from "./plans.js";
import { runJob, Thinker } from "./thinker.js";
import { showTree, Tree, words } from "./tree.js";

const KEPT = 500;
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
/** Players that only move and value nothing. */
const SILENT = ["legal", "random"];
const REVIEW_SECONDS = 0.5;

export async function page(main, { query, go }) {
  const game = query.get("game") || stored()?.game;
  if (!game) return choose(main, go);
  const players = (await get("/api/players")).filter(({ name }) => !SILENT.includes(name));
  const work = new Analysis(main, game, query, players);
  await work.begin(query);
  return () => work.close();
}

/** Which game? All of the library, found by typing. */
async function choose(main, go) {
  const games = await get("/api/games");
  const list = el("div", { class: "grid" });
  const draw = (part) => fill(list, games
    .filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(part.toLowerCase()))
    .map(({ name, title }) => el("a", { class: "button", href: `/analyse?game=${encodeURIComponent(name)}` }, title || name)));
  const input = el("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => draw(input.value) });
  draw("");
  fill(main, el("section", { class: "stack" }, el("h1", {}, "Analyse a game"),
    el("p", { class: "muted" }, "Pick one, or ", el("a", { href: "/rules" }, "bring your own rules"), "."), input, list));
  void go;
  return undefined;
}

/** What another page left here: `{game, line, values}`. */
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem("woodstock.analyse") ?? "null");
  } catch {
    return null;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

class Analysis {
  constructor(main, game, query, players) {
    this.game = game;
    this.views = new Map();
    this.picks = {};
    this.live = false;
    this.turn = 0;
    this.review = null;
    this.wanted = query.get("role") || "";
    this.tree = new Tree(parsed(query.get("fluents")));
    this.build(main, players, query);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  build(main, players, query) {
    const name = (index) => {
      const asked = query.get(index ? "against" : "player");
      if (players.some((one) => one.name === asked)) return asked;
      return players.find((one) => one.name === (index ? "uct" : "woodstock"))?.name ?? players[0]?.name;
    };
    this.title = el("h1", {}, "Analyse");
    this.status = el("p", { class: "analyse-status", "aria-live": "polite" });
    this.pick = el("div", { class: "row analyse-pick" });
    const boardBox = el("div", { class: "analyse-board" });
    this.board = new Board(boardBox, { onMove: (role, move) => this.choose(role, move) });
    const step = (label, sign, key) => el("button", { type: "button", class: "button", "aria-label": label, title: label, onclick: () => this.toward(key) }, icon(sign));
    this.steps = el("div", { class: "row analyse-steps" },
      step("First position", "first", "Home"), step("Back", "back", "ArrowLeft"),
      step("On", "forward", "ArrowRight"), step("Last position", "last", "End"),
      el("button", { type: "button", class: "button small", onclick: () => this.promote() }, "Make main line"),
      el("button", { type: "button", class: "button small", onclick: () => this.cut() }, "Delete from here"));

    const column = (index) => new Thinker({
      players, player: name(index), label: index ? "Second player" : "Player",
      onPlay: (role, move) => this.choose(role ?? "random", move),
      onLine: (line) => this.goTo(this.tree.add(line, this.tree.here)),
      onTold: (told) => this.told(index, told),
      onState: () => this.drawState(),
    });
    this.thinkers = [column(0), column(1)];
    this.thinkers.forEach((one) => one.select.addEventListener("change", () => { this.address(); if (this.live) this.start(); }));
    this.thinkers[1].node.hidden = !query.get("against");
    this.role = el("select", { onchange: () => { this.wanted = this.role.value; this.address(); if (this.live) this.start(); } });
    this.seconds = el("input", { type: "number", min: 0.1, max: 600, step: "any", value: query.get("seconds") || 5, inputmode: "decimal" });
    this.button = el("button", { type: "button", class: "button primary", onclick: () => (this.thinking() ? this.stop() : this.start()) });
    const compare = el("input", { type: "checkbox", checked: !this.thinkers[1].node.hidden, onchange: () => this.compare(compare.checked) });
    this.treeBox = el("div", { class: "tree-box" });
    this.graphBox = el("div", {});
    this.reviewButton = el("button", { type: "button", class: "button small", onclick: () => this.toggleReview() });
    this.editor = new Editor({ game: this.game, onUse: (fluents) => this.restart(fluents) });
    this.plans = new PlanPanel({
      request: () => ({ ...this.place(this.tree.here), seconds: this.limit() }),
      onLine: (line) => this.goTo(this.tree.add(line, this.tree.here)),
    });
    this.inside = el("a", { class: "button small", href: "/inside" }, icon("eye"), "Look inside");
    this.play = el("a", { class: "button small", href: "/play" }, icon("play"), "Play");

    this.frame = el("div", { class: "analyse" },
      el("header", { class: "analyse-title row spread" }, this.title, el("div", { class: "row" }, this.play, this.inside)),
      el("div", { class: "stack" },
        el("section", { class: "card", "aria-label": "Board" }, boardBox, this.pick, this.status, this.steps),
        el("section", { class: "card" }, el("div", { class: "row spread" }, el("h2", {}, "Value over the line"), this.reviewButton), this.graphBox),
        this.editor.node),
      el("div", { class: "stack" },
        el("section", { class: "card" },
          el("div", { class: "analyse-settings" },
            el("label", { class: "field" }, el("span", {}, "Moves of"), this.role),
            el("label", { class: "field" }, el("span", {}, "Seconds"), this.seconds),
            this.button),
          el("label", { class: "row analyse-compare" }, compare, "Compare two players"),
          el("div", { class: "analyse-two" }, this.thinkers.map((one) => one.node))),
        this.plans.node,
        el("section", { class: "card" }, el("h2", {}, "Variations"), this.treeBox,
          el("p", { class: "muted" }, "Arrow keys: back and on, up and down between variations.")),
        el("section", { class: "card" }, el("h2", {}, "Give it away"),
          shareButtons({ address: () => location.href, position: () => this.json() }))));
    this.frame.classList.toggle("compares", !this.thinkers[1].node.hidden);
    fill(main, this.frame);
    this.drawState();
  }

  /** The game's title, the line that was given, and the first position. */
  async begin(query) {
    const left = stored();
    const given = parsed(query.get("line"));
    const mine = left?.game === this.game && (!given || JSON.stringify(given) === JSON.stringify(left.line));
    const line = given ?? (mine && !this.tree.fluents ? left.line : null) ?? [];
    if (!this.game.startsWith("sha256:")) {
      get(`/api/games/${encodeURIComponent(this.game)}`, { quiet: true })
        .then(({ title }) => { fill(this.title, title || this.game); document.title = `${title || this.game} · Analyse · WoodStock`; })
        .catch(() => {});
    } else fill(this.title, "Your own rules");
    const usable = Array.isArray(line) && line.every((joint) => Array.isArray(joint) && joint.every((move) => typeof move === "string"));
    if (!usable) toast("The line of this address cannot be read; this is the first position.", "bad");
    let node = usable ? this.tree.add(line) : this.tree.root;
    const ply = query.get("ply");
    if (ply !== null && Number(ply) < node.ply) node = this.nodes(node)[Math.max(0, Number(ply) || 0)];
    if (!(await this.goTo(node)) && node !== this.tree.root) {
      this.tree = new Tree(this.tree.fluents);
      await this.goTo(this.tree.root);
    }
    if (mine && left.values) this.take(left.values);
    if (!this.view?.terminal) this.start();
  }

  nodes(node) {
    return node.parent ? [...this.nodes(node.parent), node] : [node];
  }

  /** Values that came with a match: per ply a list in role order, or by role. */
  take(values) {
    this.tree.through().forEach((node, ply) => {
      const found = values[ply];
      if (!found) return;
      const roles = this.view?.players ?? [];
      const pairs = Array.isArray(found) ? roles.map((role, i) => [role, found[i]]) : Object.entries(found);
      const known = pairs.filter(([, value]) => typeof value === "number");
      if (known.length && !node.values) node.values = Object.fromEntries(known);
    });
    this.drawGraph();
  }

  /** A position as the server is asked about it. */
  place(node) {
    return { game: this.game, line: node.line, ...(this.tree.fluents ? { fluents: this.tree.fluents } : {}) };
  }

  async look(node) {
    const key = JSON.stringify([this.tree.fluents, node.line]);
    let view = this.views.get(key);
    if (!view) {
      view = await post("/api/position", this.place(node));
      this.views.set(key, view);
      if (this.views.size > KEPT) this.views.delete(this.views.keys().next().value);
    }
    return view;
  }

  /** Go to a position of the tree; whether that was possible. */
  async goTo(node) {
    if (!node) return false;
    const mine = ++this.turn;
    let view;
    try {
      view = await this.look(node);
    } catch (problem) {
      if (node.parent && !node.children.length && problem.status === 400) this.tree.remove(node);
      return false;
    }
    if (mine !== this.turn) return true;
    this.thinkers.forEach((one) => { one.leave(); one.clear(node.last ? "" : undefined); });
    this.tree.here = node;
    this.view = view;
    this.picks = {};
    if (view.terminal) {
      node.values = Object.fromEntries(Object.entries(view.goals ?? {}).map(([role, goal]) => [role, (goal ?? 0) / 100]));
      node.proved = true;
    }
    this.drawRoles();
    this.editor.show(view.fluents ?? null);
    this.plans.show(view);
    this.draw();
    this.address();
    if (this.live && !view.terminal) this.start();
    else {
      this.live = this.live && !view.terminal;
      // What was found here before is shown again.
      if (node.last && !view.terminal) Object.assign(this.thinkers[0], { roles: view.roles }).show(node.last, true);
      else if (view.terminal) this.thinkers.forEach((one) => one.clear("The game is over here."));
      this.drawState();
    }
    if (node.joint) say(words(node.joint, view.roles));
    return true;
  }

  toward(key) {
    const node = this.tree.toward(key);
    if (node) this.goTo(node);
  }

  key(event) {
    if (!KEYS.includes(event.key) || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.("input, select, textarea, dialog, .fluents, .thinker-moves, [data-place]")) return;
    event.preventDefault();
    this.toward(event.key);
  }

  /** A role's move: played at once, or kept until all who have a choice have one. */
  choose(role, move) {
    const { view } = this;
    if (!view || view.terminal) return;
    if (!view.roles.includes(role)) role = view.roles.find((one) => !view.players.includes(one));
    if (role) this.picks[role] = move;
    const open = view.turn.filter((one) => !(one in this.picks));
    if (open.length) {
      this.drawBoard();
      this.drawPicks();
      return;
    }
    const joint = view.roles.map((one) => this.picks[one] ?? view.moves[one]?.[0]?.move);
    if (joint.includes(undefined)) {
      toast("Somebody has no legal move here; the rules do not say what follows.", "bad");
      return;
    }
    this.goTo(this.tree.step(joint));
  }

  draw() {
    this.drawBoard();
    this.drawPicks();
    this.drawTree();
    this.drawGraph();
    const { view } = this;
    const at = `?game=${encodeURIComponent(this.game)}&line=${encodeURIComponent(JSON.stringify(this.tree.here.line))}${this.tree.fluents ? `&fluents=${encodeURIComponent(JSON.stringify(this.tree.fluents))}` : ""}`;
    this.inside.href = `/inside${at}`;
    // A table begins with the rules' own first position: from an edited one, nobody can go on there.
    const from = this.tree.fluents ? "" : `&line=${encodeURIComponent(JSON.stringify(this.tree.here.line))}`;
    this.play.href = `/play/new?game=${encodeURIComponent(this.game)}${from}`;
    const goals = Object.entries(view.goals ?? {}).map(([role, goal]) => `${role} ${goal}`).join(", ");
    if (view.terminal) fill(this.status, el("strong", {}, `The game is over: ${goals}. `), view.reason ?? "");
    else if (view.chance) fill(this.status, `Only chance moves here: ${Object.keys(view.chance).length} outcomes.`);
    else fill(this.status, view.turn.length ? `${view.turn.join(" and ")} to move` : "Nobody has a choice here.");
  }

  drawBoard() {
    const { view } = this;
    const open = view.turn.filter((role) => !(role in this.picks));
    const moves = Object.fromEntries(open.map((role) => [role, view.moves[role] ?? []]));
    const told = this.thinkers[0].told;
    const values = told && open.includes(told.role) ? Object.fromEntries((told.moves ?? []).map(({ move, value }) => [move, value])) : {};
    this.board.show({ ...view, moves }, { values });
  }

  drawPicks() {
    const { view } = this;
    const chosen = Object.entries(this.picks);
    const parts = chosen.map(([role, move]) => el("span", { class: "badge accent" }, `${role}: ${move}`));
    const button = (label, act, sign = "forward") => el("button", { type: "button", class: "button small", onclick: act }, icon(sign), label);
    if (chosen.length) {
      const open = view.turn.filter((one) => !(one in this.picks));
      parts.push(el("span", {}, `now ${open.join(" and ")}`), button("Choose again", () => { this.picks = {}; this.drawBoard(); this.drawPicks(); }, "undo"));
    }
    const chance = view.turn.find((role) => !view.players.includes(role) && !(role in this.picks));
    if (chance) parts.push(button("Let chance decide", () => this.choose(chance, view.moves[chance][Math.floor(Math.random() * view.moves[chance].length)].move), "dice"));
    if (!view.terminal && !view.turn.length) parts.push(button("Go on", () => this.choose(null, null)));
    fill(this.pick, parts);
  }

  drawTree() {
    showTree(this.treeBox, this.tree, { roles: this.view.roles, go: (node) => this.goTo(node) });
  }

  drawGraph() {
    const nodes = this.tree.through();
    showGraph(this.graphBox, {
      plies: nodes.map((node) => ({ values: node.values, proved: node.proved, title: node.joint ? words(node.joint, this.view.roles) : "" })),
      players: this.view.players, here: nodes.indexOf(this.tree.here), go: (ply) => this.goTo(nodes[ply]),
    });
  }

  drawRoles() {
    if (this.role.childNodes.length) return;
    fill(this.role, el("option", { value: "" }, "who moves"), this.view.players.map((role) => el("option", { value: role }, role)));
    this.role.value = this.view.players.includes(this.wanted) ? this.wanted : "";
    this.wanted = this.role.value;
  }

  drawState() {
    const busy = this.thinking();
    fill(this.button, icon(busy ? "stop" : "chart"), busy ? "Stop" : "Analyse");
    this.button.disabled = Boolean(this.view?.terminal);
    this.frame.setAttribute("aria-busy", String(busy));
    fill(this.reviewButton, icon(this.review ? "stop" : "chart"), this.review ? "Stop" : "Value every position");
  }

  thinking() {
    return this.thinkers.some((one) => one.busy);
  }

  limit() {
    const seconds = Number(this.seconds.value);
    return seconds > 0 ? Math.min(600, seconds) : 5;
  }

  /** Ask the players about this position, and about those gone to after it. */
  start() {
    if (!this.view || this.view.terminal) return;
    this.live = true;
    const request = { ...this.place(this.tree.here), seconds: this.limit(), ...(this.wanted ? { role: this.wanted } : {}) };
    this.thinkers.filter((one) => !one.node.hidden).forEach((one) => one.start(request, this.view.roles));
    this.drawState();
  }

  stop() {
    this.live = false;
    this.thinkers.forEach((one) => one.stop());
    this.drawState();
  }

  compare(on) {
    this.thinkers[1].node.hidden = !on;
    this.frame.classList.toggle("compares", on);
    if (!on) this.thinkers[1].leave();
    else if (this.live) this.start();
    this.address();
  }

  told(index, told) {
    this.plans.allow(Boolean(told.plans));
    if (index) return;
    const { here } = this.tree;
    here.last = told;
    if (told.values) Object.assign(here, { values: told.values, proved: Boolean(told.proved) });
    this.drawBoard();
    this.drawGraph();
  }

  /** Value each position of the line through here, one after the other. */
  async toggleReview() {
    if (this.review) {
      this.review.stop();
      return;
    }
    const nodes = this.tree.through();
    const { game, fluents } = this.place(nodes[0]);
    const over = (text) => {
      this.review = null;
      this.drawState();
      if (text) toast(text, "bad");
    };
    this.review = { stop() {}, leave() {} };
    this.drawState();
    try {
      const job = await runJob({
        game, ...(fluents ? { fluents } : {}), line: nodes.at(-1).line, what: "review",
        player: this.thinkers[0].player, seconds: REVIEW_SECONDS * nodes.length,
      }, {
        progress: ({ ply, values, proved }) => {
          if (nodes[ply]) Object.assign(nodes[ply], { values, proved });
          this.drawGraph();
        },
        done: () => over(""),
        failed: over,
      });
      if (this.review) this.review = job;
    } catch {
      over("");
    }
  }

  promote() {
    this.tree.promote(this.tree.here);
    this.draw();
  }

  cut() {
    const next = this.tree.remove(this.tree.here);
    this.goTo(next);
  }

  /** Another first position. */
  restart(fluents) {
    this.review?.leave();
    this.review = null;
    this.tree = new Tree(fluents);
    this.goTo(this.tree.root);
  }

  /** The link holds the position, the line after it and how it is analysed. */
  address() {
    const nodes = this.tree.through();
    const parts = new URLSearchParams({ game: this.game });
    if (this.tree.fluents) parts.set("fluents", JSON.stringify(this.tree.fluents));
    if (nodes.length > 1) parts.set("line", JSON.stringify(nodes.at(-1).line));
    if (nodes.at(-1) !== this.tree.here) parts.set("ply", this.tree.here.ply);
    if (this.wanted) parts.set("role", this.wanted);
    if (this.thinkers[0].player !== "woodstock") parts.set("player", this.thinkers[0].player);
    if (!this.thinkers[1].node.hidden) parts.set("against", this.thinkers[1].player);
    if (location.pathname.startsWith("/analyse")) history.replaceState(history.state, "", `/analyse?${parts}`);
  }

  json() {
    const { view, tree } = this;
    const { last } = tree.here;
    return { game: this.game, ply: view.ply, roles: view.roles, ...(tree.fluents ? { start: tree.fluents } : {}),
      line: tree.here.line, fluents: view.fluents, turn: view.turn, goals: view.goals, analysis: last ?? undefined };
  }

  close() {
    document.removeEventListener("keydown", this.keys);
    this.thinkers.forEach((one) => one.leave());
    this.review?.leave();
    this.plans.leave();
    this.board.close?.();
  }
}
