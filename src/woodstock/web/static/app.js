// The frame of the page: which module shows which address, the header, colours and text size.

import { get } from "./api.js";
import { el, fill, icon, say, toast } from "./dom.js";

const PAGES = [
  { at: /^\/$/, name: "Games", load: () => import("./home.js") },
  { at: /^\/rules\/?$/, name: "Rules", load: () => import("./rules.js") },
  { at: /^\/play\/?([^/]*)\/?$/, name: "Play", load: () => import("./play.js") },
  { at: /^\/analyse\/?$/, name: "Analyse", load: () => import("./analyse.js") },
  { at: /^\/inside\/?$/, name: "Inside", load: () => import("./inside.js") },
  { at: /^\/watch\/?([^/]*)\/?$/, name: "Watch", load: () => import("./watch.js") },
  { at: /^\/record\/([^/]*)\/?$/, name: "Record", load: () => import("./record.js") },
];

const main = document.getElementById("main");
let cleanup = null;
let turn = 0;
const scrolls = new Map();

/** Go to an address of this page without loading it anew. */
export function go(address, { replace = false } = {}) {
  scrolls.set(history.state?.key ?? 0, window.scrollY);
  const state = { key: Date.now() + Math.random() };
  if (replace) history.replaceState(state, "", address);
  else history.pushState(state, "", address);
  return show();
}

async function show({ back = false } = {}) {
  const mine = ++turn;
  const path = location.pathname;
  const page = PAGES.find(({ at }) => at.test(path));
  cleanup?.();
  cleanup = null;
  mark(path);
  if (!page) {
    document.title = "Not found · WoodStock";
    fill(main, lost());
    return;
  }
  document.title = page.name === "Games" ? "WoodStock" : `${page.name} · WoodStock`;
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(location.search);
  try {
    const module = await page.load();
    if (mine !== turn) return;
    main.replaceChildren();
    main.className = `page-${page.name.toLowerCase()}`;
    const done = await module.page(main, { parts, path: parts, query, go });
    if (mine !== turn) {
      done?.();
      return;
    }
    cleanup = typeof done === "function" ? done : null;
  } catch (problem) {
    if (mine !== turn) return;
    console.error(problem);
    fill(main, broken(problem));
  }
  window.scrollTo(0, back ? (scrolls.get(history.state?.key ?? 0) ?? 0) : 0);
  if (turn > 1) {
    main.focus({ preventScroll: true });
    say(document.title);
  }
}

function lost() {
  return el(
    "section",
    { class: "card narrow" },
    el("h1", {}, "There is nothing here"),
    el("p", {}, "The address may be mistyped, or the match may be gone."),
    el("a", { class: "button primary", href: "/" }, "All games"),
  );
}

function broken(problem) {
  return el(
    "section",
    { class: "card narrow" },
    el("h1", {}, problem.status === 404 ? "There is nothing here" : "That did not work"),
    el("p", {}, problem.message),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "button primary", onclick: () => show() }, "Try again"),
      el("a", { class: "button", href: "/" }, "All games"),
    ),
  );
}

function mark(path) {
  for (const link of document.querySelectorAll(".nav a")) {
    const target = link.getAttribute("href");
    const here = target === "/" ? path === "/" || path.startsWith("/play") : path.startsWith(target);
    if (here || (target === "/watch" && path.startsWith("/record"))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || /^\/(api|static)\//.test(url.pathname)) return;
  if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
  event.preventDefault();
  go(url.pathname + url.search + url.hash);
});

window.addEventListener("popstate", () => show({ back: true }));
window.addEventListener("scroll", () => scrolls.set(history.state?.key ?? 0, window.scrollY), { passive: true });

// A file dropped beside its place must not make the browser leave the page.
window.addEventListener("dragover", (event) => event.preventDefault());
window.addEventListener("drop", (event) => event.preventDefault());

const THEMES = { system: ["auto", "as the system"], light: ["sun", "light"], dark: ["moon", "dark"] };
const SIZES = { normal: "normal", large: "large", huge: "very large", small: "small" };

function remember(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // No storage: the choice lasts as long as the page.
  }
}

function next(choices, now) {
  const names = Object.keys(choices);
  return names[(names.indexOf(now) + 1) % names.length];
}

function setTheme(name) {
  const root = document.documentElement;
  if (name === "system") delete root.dataset.theme;
  else root.dataset.theme = name;
  remember("theme", name === "system" ? "" : name);
  const button = document.getElementById("theme");
  fill(button, icon(THEMES[name][0]));
  button.setAttribute("aria-label", `Colours: ${THEMES[name][1]}`);
  button.title = `Colours: ${THEMES[name][1]}`;
  document.dispatchEvent(new CustomEvent("theme", { detail: name }));
}

function setSize(name) {
  const root = document.documentElement;
  if (name === "normal") delete root.dataset.size;
  else root.dataset.size = name;
  remember("size", name === "normal" ? "" : name);
  document.getElementById("size").setAttribute("aria-label", `Text size: ${SIZES[name]}`);
}

document.getElementById("theme").addEventListener("click", () => {
  setTheme(next(THEMES, document.documentElement.dataset.theme || "system"));
});
document.getElementById("size").addEventListener("click", () => {
  const name = next(SIZES, document.documentElement.dataset.size || "normal");
  setSize(name);
  toast(`Text size: ${SIZES[name]}`);
});
setTheme(document.documentElement.dataset.theme || "system");
setSize(SIZES[document.documentElement.dataset.size] ? document.documentElement.dataset.size : "normal");

history.scrollRestoration = "manual";
await show();
get("/api/about", { quiet: true })
  .then((about) => fill(document.getElementById("about"), `WoodStock ${about.version ?? ""} · a general game player`))
  .catch(() => {});
