// The network of a turn as a graph that can be zoomed and moved: variables in boxes, constraints as dots.
//
// Columns go from what the state gives, over what rules define, to the next state. The order within
// a column is found by a fixed number of sweeps, so the same network always looks the same.

import { el, svg } from "./dom.js";

const BOX = { width: 132, height: 24, gap: 10 };
const DOT = { size: 7, gap: 9 };
const COLUMN = { variable: 172, constraint: 64, deep: 36 };
const SWEEPS = 12;
const DEPTH = 14;

/** Places for the nodes of a network: `{nodes: Map(key -> {x, y, ...}), width, height}`. */
export function layout(variables, constraints) {
  const known = new Map(variables.map((one) => [one.name, one]));
  const depth = depths(variables, constraints, known);
  const columns = new Map();
  const put = (column, node) => columns.set(column, [...(columns.get(column) ?? []), node]);
  for (const one of variables) {
    put(2 * depth.get(one.name), { key: `v:${one.name}`, kind: "variable", of: one, near: [] });
  }
  for (const one of constraints) {
    const inside = one.scope.filter((name) => known.has(name));
    const reach = Math.max(...inside.map((name) => depth.get(name)));
    const column = one.defines && known.has(one.defines) ? 2 * depth.get(one.defines) - 1 : 2 * reach + 1;
    put(column, { key: `c:${one.id}`, kind: "constraint", of: one, near: inside.map((name) => `v:${name}`) });
  }
  const nodes = new Map([...columns.values()].flat().map((node) => [node.key, node]));
  for (const node of nodes.values()) {
    if (node.kind === "constraint") for (const key of node.near) nodes.get(key).near.push(node.key);
  }
  return arrange(columns, nodes);
}

/** How many definitions lie between a variable and what is given. */
function depths(variables, constraints, known) {
  const depth = new Map(variables.map(({ name }) => [name, 0]));
  const defining = constraints.filter(({ defines }) => defines && known.has(defines));
  for (let round = 0; round < DEPTH; round += 1) {
    let changed = false;
    for (const { defines, scope } of defining) {
      if (known.get(defines).kind === "now") continue;
      const below = scope.filter((name) => name !== defines && known.has(name));
      const wanted = Math.min(DEPTH, 1 + Math.max(-1, ...below.map((name) => depth.get(name))));
      if (wanted > depth.get(defines)) {
        depth.set(defines, wanted);
        changed = true;
      }
    }
    if (!changed) break;
  }
  const last = Math.max(1, ...depth.values());
  for (const { name, kind } of variables) {
    if (kind === "next") depth.set(name, last + 1);
    else if (kind !== "now" && depth.get(name) === 0) depth.set(name, 1);
  }
  return depth;
}

function arrange(columns, nodes) {
  const order = [...columns.keys()].sort((a, b) => a - b);
  for (const column of order) {
    columns.get(column).forEach((node, index) => { node.rank = index - columns.get(column).length / 2; });
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of sweep % 2 ? [...order].reverse() : order) {
      const list = columns.get(column);
      for (const node of list) {
        const sum = node.near.reduce((total, key) => total + nodes.get(key).rank, 0);
        node.pull = node.near.length ? sum / node.near.length : node.rank;
      }
      list.sort((a, b) => a.pull - b.pull || (a.key < b.key ? -1 : 1));
      list.forEach((node, index) => { node.rank = index - list.length / 2; });
    }
  }
  let x = 0;
  let height = 0;
  for (const column of order) {
    const list = columns.get(column);
    const boxes = list[0].kind === "variable";
    const step = boxes ? BOX.height + BOX.gap : 2 * DOT.size + DOT.gap;
    const deep = Math.max(1, Math.ceil(list.length / COLUMN.deep));
    const wide = boxes ? COLUMN.variable : COLUMN.constraint * 0.55;
    const rows = Math.ceil(list.length / deep);
    list.forEach((node, index) => {
      // Tall columns are folded, so that neighbours in the order stay near each other.
      node.x = x + (index % deep) * wide + (boxes ? BOX.width : COLUMN.constraint) / 2;
      node.y = (Math.floor(index / deep) - rows / 2) * step;
    });
    height = Math.max(height, rows * step);
    x += deep * wide + (boxes ? 10 : COLUMN.constraint * 0.6);
  }
  for (const node of nodes.values()) node.y += height / 2 + BOX.height;
  return { nodes, width: x, height: height + 2 * BOX.height };
}

/** The graph; `onPick(kind, thing)` hears what was chosen (null for nothing). */
export class NetworkGraph {
  constructor(box, { onPick = () => {} } = {}) {
    this.onPick = onPick;
    this.edges = svg("g", { class: "net-edges" });
    this.points = svg("g", { class: "net-nodes" });
    this.root = svg("svg", {
      class: "net", tabindex: "0", role: "img",
      "aria-label": "The network as a graph. Arrows move it, plus and minus zoom, 0 shows all of it; the table below has the same in words.",
    }, this.edges, this.points);
    this.pointers = new Map();
    box.append(this.root);
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.root.addEventListener("pointerdown", (event) => this.down(event));
    this.root.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) this.root.addEventListener(name, (event) => this.up(event));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.watcher = new ResizeObserver(() => this.apply());
    this.watcher.observe(this.root);
  }

  close() {
    this.watcher.disconnect();
  }

  /** Draw what the server sent. */
  show({ variables, constraints }) {
    this.plan = layout(variables, constraints);
    this.drawn = new Map();
    const lines = [];
    const shapes = [];
    for (const node of this.plan.nodes.values()) {
      if (node.kind === "constraint") {
        for (const key of node.near) lines.push(this.edge(node, this.plan.nodes.get(key)));
      }
      const shape = node.kind === "variable" ? variableShape(node) : constraintShape(node);
      this.drawn.set(node.key, shape);
      shapes.push(shape);
    }
    this.lines = lines;
    this.edges.replaceChildren(...lines.map(({ path }) => path));
    this.points.replaceChildren(...shapes);
    this.picked = null;
    this.fit();
    const first = [...this.plan.nodes.values()].find(({ of }) => of.kind === "action");
    if (first && this.root.clientWidth < 600 && this.at.scale < 0.5) {
      // All of it would be too small to read on a phone: begin at the first decision.
      this.at = { x: first.x, y: first.y, scale: 0.6 };
      this.apply();
    }
  }

  edge(from, to) {
    const turn = (to.x - from.x) / 2;
    const d = `M${from.x} ${from.y}C${from.x + turn} ${from.y} ${to.x - turn} ${to.y} ${to.x} ${to.y}`;
    return { from: from.key, to: to.key, path: svg("path", { d, class: `net-edge ${from.of.kind}` }) };
  }

  /** Choose a node by its key, and show what is near it. */
  pick(key, { center = false } = {}) {
    const node = key ? this.plan.nodes.get(key) : null;
    this.picked = node ? key : null;
    const near = new Set(node ? [key, ...node.near] : []);
    this.root.classList.toggle("has-pick", Boolean(node));
    for (const [name, shape] of this.drawn) {
      shape.classList.toggle("near", near.has(name));
      shape.classList.toggle("picked", name === key);
    }
    for (const { from, to, path } of this.lines) path.classList.toggle("near", Boolean(node) && (from === key || to === key));
    if (node && center) {
      this.at = { ...this.at, x: node.x, y: node.y, scale: Math.max(this.at.scale, 0.9) };
      this.apply();
    }
    this.onPick(node?.kind ?? null, node?.of ?? null);
  }

  // Zoom

  fit() {
    const { width, height } = this.plan;
    const { clientWidth, clientHeight } = this.root;
    const scale = Math.min((clientWidth || 600) / (width + 20), (clientHeight || 400) / height, 1.6);
    this.at = { x: width / 2, y: height / 2, scale };
    this.apply();
  }

  zoom(factor, clientX, clientY) {
    const frame = this.root.getBoundingClientRect();
    const dx = (clientX ?? frame.left + frame.width / 2) - frame.left - frame.width / 2;
    const dy = (clientY ?? frame.top + frame.height / 2) - frame.top - frame.height / 2;
    const scale = Math.min(4, Math.max(0.04, this.at.scale * factor));
    this.at.x += dx / this.at.scale - dx / scale;
    this.at.y += dy / this.at.scale - dy / scale;
    this.at.scale = scale;
    this.apply();
  }

  apply() {
    if (!this.at) return;
    const { clientWidth: w, clientHeight: h } = this.root;
    if (!w || !h) return;
    const { x, y, scale } = this.at;
    this.root.setAttribute("viewBox", `${x - w / scale / 2} ${y - h / scale / 2} ${w / scale} ${h / scale}`);
    this.root.classList.toggle("small", scale < 0.35);
  }

  wheel(event) {
    // The page scrolls as usual unless the graph is meant.
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.root) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }

  down(event) {
    this.pointers.set(event.pointerId, event);
    this.moved = 0;
    this.root.setPointerCapture(event.pointerId);
    this.start = event.target.closest?.("[data-key]")?.dataset.key ?? null;
  }

  move(event) {
    const old = this.pointers.get(event.pointerId);
    if (!old) return;
    const others = [...this.pointers.values()].filter((one) => one.pointerId !== event.pointerId);
    if (others.length) {
      const [other] = others;
      const far = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      this.zoom(far(event) / far(old), other.clientX, other.clientY);
    } else {
      this.at.x -= (event.clientX - old.clientX) / this.at.scale;
      this.at.y -= (event.clientY - old.clientY) / this.at.scale;
      this.apply();
    }
    this.moved += Math.hypot(event.clientX - old.clientX, event.clientY - old.clientY);
    this.pointers.set(event.pointerId, event);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    if (event.type === "pointerup" && this.moved < 5) this.pick(this.start);
  }

  key(event) {
    const step = 60 / this.at.scale;
    const pans = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (pans[event.key]) {
      this.at.x += pans[event.key][0];
      this.at.y += pans[event.key][1];
      this.apply();
    } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else if (event.key === "Escape") this.pick(null);
    else return;
    event.preventDefault();
  }
}

function variableShape({ key, x, y, of }) {
  const left = of.left === 1 ? `= ${of.after[0]}` : `${of.left}/${of.size}`;
  return svg("g", { class: `net-variable ${of.kind} ${of.status}`, "data-key": key },
    svg("title", {}, `${of.name}: ${of.left === 1 ? of.after[0] : `${of.left} of ${of.size} values`}`),
    svg("rect", { x: x - BOX.width / 2, y: y - BOX.height / 2, width: BOX.width, height: BOX.height, rx: 6 }),
    svg("text", { x: x - BOX.width / 2 + 7, y: y + 4 }, short(of.name, 13)),
    svg("text", { x: x + BOX.width / 2 - 7, y: y + 4, "text-anchor": "end", class: "net-value" }, short(left, 7)));
}

function constraintShape({ key, x, y, of }) {
  const r = DOT.size;
  const d = of.kind === "hard" ? `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z` : `M${x} ${y - r - 3}l${r + 3} ${r + 3}l${-r - 3} ${r + 3}l${-r - 3} ${-r - 3}z`;
  return svg("g", { class: `net-constraint ${of.kind}${of.stochastic ? " stochastic" : ""}`, "data-key": key },
    svg("title", {}, `${of.name || "constraint"} over ${of.scope.join(", ")}`),
    svg("path", { d }));
}

function short(text, size) {
  return text.length > size ? `${text.slice(0, size - 1)}…` : text;
}

/** What the colours mean. */
export function legend() {
  const entry = (name, text) => el("li", {}, el("span", { class: `net-key ${name}`, "aria-hidden": "true" }), text);
  return el("ul", { class: "net-legend" },
    entry("given", "given by the state"), entry("decided", "decided by propagation"), entry("open", "still open"),
    entry("action", "a decision"), entry("chance", "chance"), entry("hard", "hard constraint"), entry("soft", "soft constraint"));
}
