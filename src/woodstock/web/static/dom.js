// Small safe helpers to build the page: text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** Set one attribute, property, listener or style of an element.
 *
 * `onclick: f` listens, `class: "a b"`, `dataset: {x: 1}`, `style: {"--x": "1px"}` go through the DOM
 * (the content policy allows no style attributes), true/false/null switch an attribute on or off,
 * anything else is an attribute.
 */
function assign(node, name, value) {
  if (name.startsWith("on") && typeof value === "function") {
    node.addEventListener(name.slice(2).toLowerCase(), value);
  } else if (name === "style" && value && typeof value === "object") {
    for (const [key, item] of Object.entries(value)) node.style.setProperty(key, item);
  } else if (name === "dataset" && value && typeof value === "object") {
    Object.assign(node.dataset, value);
  } else if (name === "value" && "value" in node) {
    node.value = value ?? "";
  } else if (name === "checked" && "checked" in node) {
    node.checked = Boolean(value);
  } else if (value === false || value === null || value === undefined) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child === null || child === undefined || child === false) continue;
    else node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

function build(node, attributes, children) {
  append(node, children);
  // After the children: the value of a select is one of its options.
  for (const [name, value] of Object.entries(attributes || {})) assign(node, name, value);
  return node;
}

/** Build an HTML element: `el("a", {href: "/", class: "button"}, "Home")`. */
export function el(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** Build an SVG element. */
export function svg(tag, attributes, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/** Replace everything inside a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

const SHAPES = ["svg", "g", "title", "desc", "rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "text", "tspan"];

/** Parse the text of an SVG drawing of our server into a node of this document (null if broken).
 *
 * All but shapes and words is taken out, links and handlers too: a drawing is a picture and nothing else.
 */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (!root || root.localName !== "svg" || parsed.querySelector("parsererror")) return null;
  for (const node of [root, ...root.querySelectorAll("*")]) {
    if (node.namespaceURI !== SVG || !SHAPES.includes(node.localName)) node.remove();
    for (const { name } of [...node.attributes]) {
      if (/^on|^style$|href$/i.test(name)) node.removeAttribute(name);
    }
  }
  return document.importNode(root, true);
}

const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  flag: "M5 21V4h13l-3 4.5L18 13H5",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.7 1 1.5 1 2.5h6c0-1 .2-1.8 1-2.5A6 6 0 0 0 12 3z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4 20h16",
  chart: "M4 4v16h16M8 15l4-5 3 3 5-7",
  again: "M20 5v5h-5M20 10a8 8 0 1 0 .5 4.5",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3.2 2.6 3.5 5.5",
  person: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c.5-4.5 3.5-7 7.5-7s7 2.5 7.5 7",
  machine: "M5 8h14v11H5zM12 8V4M9 12v2M15 12v2M2.5 12v4M21.5 12v4",
  dice: "M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  play: "M7 4v16l13-8z",
  eye: "M2 12c2.5-4.5 6-7 10-7s7.5 2.5 10 7c-2.5 4.5-6 7-10 7s-7.5-2.5-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  edit: "M4 20h4L19 9l-4-4L4 16z",
  upload: "M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M4 20h16",
  first: "M18 5l-8 7 8 7M6 5v14",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  last: "M6 5l8 7-8 7M18 5v14",
  close: "M6 6l12 12M18 6 6 18",
  check: "M4 12.5 9.5 18 20 6",
  stop: "M6 6h12v12H6z",
  plus: "M12 5v14M5 12h14",
  link: "M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1.5-1.5",
};

/** A line icon of 1em by its name (hidden from screen readers: label the button). */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] || PATHS.plus }),
  );
}

/** Show a short message at the foot of the page for some seconds; kind: "info", "good" or "bad". */
export function toast(text, kind = "info") {
  const shelf = document.getElementById("toasts") || document.body;
  for (const old of shelf.children) if (old.dataset.text === String(text)) old.remove();
  const close = el("button", { type: "button", class: "plain", "aria-label": "Dismiss" }, icon("close"));
  const node = el("div", { class: `toast ${kind}`, dataset: { text: String(text) } }, el("span", {}, text), close);
  close.addEventListener("click", () => node.remove());
  shelf.append(node);
  while (shelf.children.length > 3) shelf.firstElementChild.remove();
  setTimeout(() => node.remove(), 4000 + 50 * String(text).length);
  return node;
}

/** Tell a screen reader something without showing it. */
export function say(text) {
  const voice = document.getElementById("voice");
  if (voice) voice.textContent = text;
}

/** Wait until calls stop for some milliseconds, then call once. */
export function later(delay, action) {
  let timer = 0;
  const run = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), delay);
  };
  run.cancel = () => clearTimeout(timer);
  return run;
}

/** Copy text; true when it worked (the page may be served without https in a local network). */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "offstage", value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Let the browser save text as a file. */
export function download(name, text, kind = "application/json") {
  const link = el("a", {
    href: URL.createObjectURL(new Blob([text], { type: kind })),
    download: name.replace(/[^\w.-]+/g, "-"),
  });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The mark of the move that a player itself would make. */
export function chosen() {
  return el("span", { class: "badge good", title: "What the player itself would do" }, "its choice");
}
