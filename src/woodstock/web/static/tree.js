// Variations as a tree: positions reached by joint moves; the first child is the main line.

import { el, fill } from "./dom.js";

/** A position in the tree. `joint` is the joint move that led here, in role order; null at the root. */
class Node {
  constructor(parent, joint) {
    this.parent = parent;
    this.joint = joint;
    this.children = [];
    this.values = null;
    this.proved = false;
    this.last = null;
  }

  get ply() {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** The joint moves from the root to here. */
  get line() {
    return this.parent ? [...this.parent.line, this.joint] : [];
  }
}

/** The tree of a match and what was tried beside it. */
export class Tree {
  constructor(fluents = null) {
    this.fluents = fluents;
    this.root = new Node(null, null);
    this.here = this.root;
  }

  /** The position after a joint move from here; made if it is new. */
  step(joint, from = this.here) {
    const same = (child) => child.joint.length === joint.length && child.joint.every((move, i) => move === joint[i]);
    let next = from.children.find(same);
    if (!next) {
      next = new Node(from, joint);
      from.children.push(next);
    }
    return next;
  }

  /** A whole line after a position; its last position. */
  add(line, from = this.root) {
    return line.reduce((node, joint) => this.step(joint, node), from);
  }

  /** The line through where we are, to its end. */
  through() {
    const nodes = [];
    for (let node = this.here; node; node = node.parent) nodes.unshift(node);
    for (let node = this.here.children[0]; node; node = node.children[0]) nodes.push(node);
    return nodes;
  }

  /** Where an arrow key leads: back and on, or to the variation above and below. */
  toward(key) {
    const { here } = this;
    if (key === "ArrowLeft") return here.parent;
    if (key === "ArrowRight") return here.children[0];
    if (key === "Home") return this.root;
    if (key === "End") return this.through().at(-1);
    const siblings = here.parent?.children ?? [];
    return siblings[siblings.indexOf(here) + (key === "ArrowDown" ? 1 : -1)];
  }

  /** Make the line through a position the first of its variations. */
  promote(node) {
    for (let one = node; one.parent; one = one.parent) {
      const { children } = one.parent;
      children.splice(children.indexOf(one), 1);
      children.unshift(one);
    }
  }

  /** Take a position and all after it away; where we are then. */
  remove(node) {
    if (!node.parent) return this.here;
    const inside = this.through().includes(node) && this.here.ply >= node.ply;
    node.parent.children = node.parent.children.filter((one) => one !== node);
    return inside ? node.parent : this.here;
  }
}

/** A joint move in few words: moves that say something, without outer parentheses. */
export function words(joint, roles = []) {
  const parts = joint
    .map((move, index) => ({ move: String(move), role: roles[index] }))
    .filter(({ move }) => move !== "noop");
  if (!parts.length) return joint.length ? "noop" : "";
  const named = parts.length > 1;
  return parts.map(({ move, role }) => `${named && role ? `${role}: ` : ""}${bare(move)}`).join(", ");
}

export function bare(move) {
  return String(move).replace(/^\((.*)\)$/, "$1");
}

/** Draw the tree into a box: the main line runs on, variations are indented below it. */
export function showTree(box, tree, { roles, go, number = (node) => `${node.ply}.` }) {
  const marker = (node) =>
    el("button", {
      type: "button",
      class: "tree-move",
      "aria-current": node === tree.here ? "step" : null,
      title: node.joint ? node.joint.join("  ") : "The first position",
      onclick: () => go(node),
    },
    node.joint ? [el("span", { class: "tree-number" }, number(node)), " ", words(node.joint, roles)] : "Start");

  const run = (first, list) => {
    let item = el("li", { class: "tree-run" }, marker(first));
    list.append(item);
    for (let node = first; node.children.length; node = node.children[0]) {
      const [next, ...beside] = node.children;
      item.append(" ", marker(next));
      if (!beside.length) continue;
      // The main move stands before the variations on it, and goes on after them.
      const inner = el("ul", { class: "tree-variations" });
      for (const other of beside) run(other, inner);
      item.append(inner);
      if (!next.children.length) return;
      item = el("li", { class: "tree-run" });
      list.append(item);
    }
  };

  const list = el("ul", { class: "tree" });
  run(tree.root, list);
  fill(box, list);
  const now = box.querySelector("[aria-current]");
  if (now) {
    const top = now.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + now.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }
}
