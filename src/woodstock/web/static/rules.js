// One's own rules: an editor with line numbers, checked while one types, with a first drawing.

import { get, post } from "./api.js";
import { drawing, el, fill, icon, later, say, toast } from "./dom.js";
import { takeFile } from "./home.js";

const SAMPLE = `; Two players take one or two matches; who takes the last one wins.
(role left)
(role right)

(init (heap 7))
(init (control left))

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(succ 4 5) (succ 5 6) (succ 6 7)
(other left right) (other right left)

(<= (minus ?n 1 ?m) (succ ?m ?n))
(<= (minus ?n 2 ?m) (succ ?k ?n) (succ ?m ?k))

(<= (legal ?r (take ?k))
    (true (control ?r)) (true (heap ?n)) (minus ?n ?k ?m))
(<= (legal ?r noop)
    (other ?r ?s) (true (control ?s)))

(<= (next (heap ?m))
    (does ?r (take ?k)) (true (heap ?n)) (minus ?n ?k ?m))
(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))

(<= terminal (true (heap 0)))

; Who is to move at an empty heap has lost.
(<= (goal ?r 0) (true (heap 0)) (true (control ?r)))
(<= (goal ?r 100) (true (heap 0)) (other ?r ?s) (true (control ?s)))
(<= (goal ?r 50) (role ?r) (true (heap ?n)) (distinct ?n 0))
`;
const SEVERITY = { error: ["bad", "error"], warning: ["warn", "warning"], info: ["", "note"], note: ["", "note"] };

export async function page(main, { query, go }) {
  document.title = "Rules · WoodStock";
  const area = el("textarea", {
    id: "rules-text", class: "code", wrap: "off", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    "aria-label": "The rules, in the game description language", "aria-describedby": "rules-state", placeholder: "(role white)\n(role black)\n…",
  });
  const gutter = el("div", { class: "gutter", "aria-hidden": "true" });
  const state = el("p", { id: "rules-state", class: "rules-state", role: "status", "aria-live": "polite" }, "Nothing to check yet.");
  const findings = el("ol", { class: "findings", "aria-label": "Findings" });
  const played = el("p", { class: "muted", "aria-live": "polite" });
  const picture = el("div", { class: "first-drawing", role: "img", "aria-label": "No drawing yet" }, el("span", { class: "muted" }, "The first position is drawn here."));
  const facts = el("p", { class: "muted" });
  const playLink = action("play", "Play", "/play/new", true);
  const analyseLink = action("chart", "Analyse", "/analyse");
  const insideLink = action("eye", "Look inside", "/inside");
  const links = [playLink, analyseLink, insideLink];
  const starts = el("select", { "aria-label": "Start from the rules of a game" }, el("option", { value: "" }, "Start from …"), el("option", { value: "sample" }, "a small example"));
  const input = el("input", { type: "file", class: "offstage", tabindex: "-1", "aria-label": "A file with rules", accept: ".kif,.gdl,.txt,text/plain" });
  const editor = el("div", { class: "editor" }, gutter, area);

  fill(main,
    el("div", { class: "row spread rules-head" },
      el("h1", {}, "Your own rules"),
      el("div", { class: "row" }, el("div", { class: "starts" }, starts),
        el("button", { type: "button", class: "button", onclick: () => input.click() }, icon("upload"), "Open a file"), input)),
    el("div", { class: "split rules" },
      el("section", { class: "card editor-card", "aria-label": "Editor" }, editor),
      el("div", { class: "stack" },
        el("section", { class: "card", "aria-labelledby": "first-heading" },
          el("h2", { id: "first-heading" }, "First position"), picture, facts, el("div", { class: "row" }, links)),
        el("section", { class: "card check-card", "aria-labelledby": "check-heading" }, el("h2", { id: "check-heading" }, "Check"), state, findings, played))));

  let lines = 0;
  let marked = new Map();
  let asked = 0;
  let abort = null;

  function number() {
    const wanted = area.value.split("\n").length;
    if (wanted !== lines) {
      lines = wanted;
      fill(gutter, Array.from({ length: lines }, (_, index) => el("span", { class: marked.get(index + 1) ?? "" }, index + 1)));
    }
    gutter.scrollTop = area.scrollTop;
  }

  function markLines(found) {
    marked = new Map();
    for (const finding of found) {
      const [look] = SEVERITY[finding.severity] ?? SEVERITY.note;
      if (finding.line && marked.get(finding.line) !== "bad") marked.set(finding.line, look || "note");
    }
    [...gutter.children].forEach((span, index) => {
      span.className = marked.get(index + 1) ?? "";
    });
  }

  function jump({ line, column, text }) {
    if (!line) return;
    const rows = area.value.split("\n");
    const from = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    const row = rows[line - 1] ?? "";
    let start = from + Math.min(Math.max((column || 1) - 1, 0), row.length);
    let end = from + row.length;
    const inRow = text ? row.indexOf(text) : -1;
    if (inRow >= 0) {
      start = from + inRow;
      end = start + text.length;
    }
    area.focus();
    area.setSelectionRange(start, end);
    const height = parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2);
  }

  function ready(reference) {
    for (const link of links) {
      if (reference) {
        link.href = `${link.dataset.to}?game=${encodeURIComponent(reference)}`;
        link.removeAttribute("aria-disabled");
      } else {
        link.removeAttribute("href");
        link.setAttribute("aria-disabled", "true");
      }
    }
  }

  function draw(view) {
    const art = view?.svg ? drawing(view.svg) : null;
    if (art) {
      art.setAttribute("aria-hidden", "true");
      fill(picture, art);
      picture.setAttribute("aria-label", `First position: ${view.text ?? ""}`);
    } else {
      fill(picture, el("span", { class: "muted" }, "No drawing: mend the rules first."));
      picture.setAttribute("aria-label", "No drawing");
    }
  }

  function item(finding) {
    const [look, word] = SEVERITY[finding.severity] ?? SEVERITY.note;
    const inside = [
      el("span", { class: "row" }, el("span", { class: `badge ${look}` }, word), finding.line ? el("span", { class: "muted" }, `line ${finding.line}`) : null),
      el("span", { class: "finding-text" }, finding.message),
      finding.text ? el("code", { class: "finding-code" }, finding.text) : null,
      finding.remedy ? el("span", { class: "muted finding-remedy" }, finding.remedy) : null,
      finding.play ? el("code", { class: "finding-code" }, `shown by: ${finding.play}`) : null,
    ];
    return el("li", {}, finding.line
      ? el("button", { type: "button", class: `finding ${look}`, onclick: () => jump(finding) }, inside)
      : el("div", { class: `finding ${look}` }, inside));
  }

  async function check() {
    const text = area.value;
    const mine = ++asked;
    tryOut.cancel();
    played.textContent = "";
    abort?.abort();
    if (!text.trim()) {
      state.textContent = "Nothing to check yet.";
      fill(findings);
      ready(null);
      return;
    }
    abort = new AbortController();
    state.textContent = "Checking …";
    ready(null);
    let result;
    try {
      result = await post("/api/rules", { text }, { quiet: true, signal: abort.signal });
    } catch (problem) {
      if (problem.name === "AbortError" || mine !== asked) return;
      state.className = "rules-state bad";
      state.textContent = problem.message;
      fill(findings);
      markLines([]);
      ready(null);
      draw(null);
      return;
    }
    if (mine !== asked) return;
    const found = result.findings ?? [];
    const errors = found.filter(({ severity }) => severity === "error").length;
    const others = found.length - errors;
    const warnings = others ? `${others} ${others === 1 ? "remark" : "remarks"}` : "";
    state.className = `rules-state ${result.ok ? "good" : "bad"}`;
    state.textContent = result.ok
      ? `The rules are fine${warnings ? `, with ${warnings}` : ""}.`
      : `${errors || 1} ${errors > 1 ? "errors" : "error"}${warnings ? `, ${warnings}` : ""}.`;
    // Rules without a mistake may still be too much for anybody: grounding ran out of time or memory.
    if (result.problem) {
      state.className = "rules-state bad";
      state.textContent = `The rules can be read, but not played: ${result.problem}`;
    }
    fill(findings, found.map(item));
    markLines(found);
    draw(result.view);
    const players = result.players ?? result.view?.players ?? result.roles ?? [];
    facts.textContent = Array.isArray(players) && players.length ? `Roles: ${players.join(", ")}` : "";
    const reference = result.ok && !result.problem && result.digest ? `sha256:${result.digest.replace(/^sha256:/, "")}` : null;
    ready(reference);
    if (reference && !result.problem) tryOut(reference, found, mine);
    if (reference) history.replaceState(history.state, "", `/rules?game=${encodeURIComponent(reference)}`);
  }

  // Playing takes the server some seconds: only when the typing has stopped for a while.
  const tryOut = later(1200, async (game, found, mine) => {
    if (mine !== asked) return;
    played.textContent = "Playing random games …";
    const result = await post("/api/playtest", { game }, { quiet: true, signal: abort?.signal }).catch(() => null);
    if (mine !== asked) return;
    played.textContent = result ? figures(result) : "";
    if (result?.findings.length) {
      const known = new Set(found.map(({ code }) => code).filter((code) => code === "base" || code === "input"));
      const all = [...found, ...result.findings.filter(({ code }) => !known.has(code))];
      state.textContent = `The rules can be played, with ${all.length} ${all.length === 1 ? "remark" : "remarks"}.`;
      fill(findings, all.map(item));
      markLines(all);
    }
  });

  const soon = later(400, check);
  function set(text) {
    area.value = text;
    lines = 0;
    number();
    area.scrollTop = 0;
    soon.cancel();
    return check();
  }
  area.addEventListener("input", () => {
    number();
    // What was checked is no longer what is there.
    ready(null);
    soon();
    try {
      localStorage.setItem("draft", area.value.length < 500_000 ? area.value : "");
    } catch {
      // No storage: the draft lasts as long as the page.
    }
  });
  area.addEventListener("scroll", () => {
    gutter.scrollTop = area.scrollTop;
  }, { passive: true });
  input.addEventListener("change", () => takeHere(input.files[0]));
  async function takeHere(file) {
    if (file) {
      if (file.size > 2_000_000) toast("That file is too large for a rulesheet (2 MB at most).", "bad");
      else {
        await set(await file.text());
        say(`Opened ${file.name}`);
      }
    }
  }
  editor.addEventListener("dragover", () => editor.classList.add("over"));
  editor.addEventListener("dragleave", () => editor.classList.remove("over"));
  const drop = (event) => {
    editor.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) {
      event.preventDefault();
      takeHere(file);
    }
  };
  window.addEventListener("drop", drop);
  starts.addEventListener("change", async () => {
    const name = starts.value;
    starts.value = "";
    if (name === "sample") await set(SAMPLE);
    else if (name) await set((await get(`/api/games/${encodeURIComponent(name)}`)).rules);
  });

  ready(null);
  number();
  get("/api/games", { quiet: true }).then((games) => {
    starts.append(...games.map(({ name, title }) => el("option", { value: name }, title)));
  }, () => {});
  await set(await firstText(query));
  return () => {
    soon.cancel();
    tryOut.cancel();
    abort?.abort();
    window.removeEventListener("drop", drop);
  };
}

function figures({ games, lengths, goals, cut, limit }) {
  if (!games) return "";
  const means = Object.entries(goals).map(([role, { mean, high }]) => `${role} ${mean.toFixed(1)} ± ${(high - mean).toFixed(1)}`);
  return [
    `${games.toLocaleString("en")} random games`,
    lengths ? `${lengths.shortest} to ${lengths.longest} moves, mean ${lengths.mean.toFixed(1)}` : null,
    cut ? `${((100 * cut) / games).toFixed(1)} % not over after ${limit}` : null,
    means.length ? `mean goals ${means.join(", ")}` : null,
  ].filter(Boolean).join("; ") + ".";
}

async function firstText(query) {
  const game = query.get("game");
  if (game?.startsWith("sha256:")) {
    const kept = await get(`/api/rules/${encodeURIComponent(game.slice(7))}`, { quiet: true }).catch(() => null);
    if (kept) return kept.text;
    toast("These rules are no longer kept here.", "bad");
  } else if (game) {
    return (await get(`/api/games/${encodeURIComponent(game)}`)).rules;
  }
  const given = sessionStorage.getItem("rules");
  if (given && query.get("mine")) {
    sessionStorage.removeItem("rules");
    return given;
  }
  try {
    return localStorage.getItem("draft") || SAMPLE;
  } catch {
    return SAMPLE;
  }
}

function action(mark, text, to, primary = false) {
  return el("a", { class: `button${primary ? " primary" : ""}`, role: "link", dataset: { to } }, icon(mark), text);
}
