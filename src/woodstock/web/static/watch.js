// Records to drop in or to choose, matches and tournaments that are running, live.

import { events, get, post } from "./api.js";
import { el, fill, icon, say, toast } from "./dom.js";
import { gameForm } from "./record.js";
import { Replay, gameName } from "./replay.js";

const LOOK = 5000;
const SHOWN = 60;

export async function page(main, params) {
  return params.parts[1] ? live(main, params.parts[1]) : overview(main, params);
}

async function overview(main, { go }) {
  const file = el("input", { type: "file", multiple: true, accept: ".json,.jsonl,.old,application/json", class: "offstage", id: "record-files", tabindex: "-1", "aria-label": "Files of match records" });
  const drop = el("button", { type: "button", class: "watch-drop", onclick: () => file.click() },
    icon("upload"), el("span", {}, el("strong", {}, "Drop match records here"), " or choose files"),
    el("small", { class: "muted" }, ".json, .jsonl, records of ggp.org, journals of woodstock serve"));
  const running = el("div", { class: "stack" });
  const found = el("div", { class: "stack" });
  const search = el("input", { type: "search", placeholder: "Find a record", "aria-label": "Find a record", autocomplete: "off" });
  let records = [];
  let shown = SHOWN;

  fill(main, el("header", {}, el("h1", {}, "Watch and replay"), el("p", { class: "muted" }, "Step through matches that were played, and watch those that are.")),
    el("div", { class: "stack" }, drop, file,
      el("section", { class: "card", "aria-labelledby": "watch-running" }, el("h2", { id: "watch-running" }, "Running now"), running),
      el("section", { class: "card", "aria-labelledby": "watch-records" },
        el("div", { class: "row spread watch-head" }, el("h2", { id: "watch-records" }, "Records"), el("div", { class: "watch-search" }, search)), found)));

  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = records.filter((one) => {
      const text = [one.file, one.game, one.named_game, one.name, ...(one.players ?? [])].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    search.hidden = records.length < 8;
    if (!records.length) fill(found, el("p", { class: "muted" }, "None yet. Drop files above, or start the page with ", el("code", {}, "woodstock web --records FOLDER"), "."));
    else if (!chosen.length) fill(found, el("p", { class: "muted" }, "No record has these words."));
    else fill(found, el("div", { class: "scroll" }, recordTable(chosen.slice(0, shown))),
      chosen.length > shown ? el("button", { type: "button", class: "button", onclick: () => { shown += 200; show(); } }, `Show more of ${chosen.length}`) : null);
  };
  search.addEventListener("input", show);

  const load = async () => {
    records = (await get("/api/records", { quiet: true })).records;
    show();
  };
  const look = async () => {
    const all = await get("/api/watch", { quiet: true });
    const key = JSON.stringify(all);
    if (key === look.last) return;
    look.last = key;
    fill(running, all.length ? el("ul", { class: "watch-list" }, all.map(runningEntry)) : el("p", { class: "muted" }, "Nothing is running in the folder of records."));
  };

  const take = async (files) => {
    let last = null;
    let count = 0;
    for (const one of [...files].slice(0, 50)) {
      if (one.size > 8e6) {
        toast(`${one.name} is larger than 8 MB.`, "bad");
        continue;
      }
      try {
        const added = (await post("/api/records", { name: one.name, text: await one.text() }, { quiet: true })).records;
        count += added.length;
        last = added[0] ?? last;
      } catch (problem) {
        toast(`${one.name}: ${problem.message}`, "bad");
      }
    }
    if (count === 1) return go(`/record/${encodeURIComponent(last.id)}`);
    if (count) toast(`${count} matches were read.`, "good");
    return load();
  };
  file.addEventListener("change", () => take(file.files));
  const over = (event) => { event.preventDefault(); drop.classList.add("over"); };
  const out = (event) => { if (!event.relatedTarget) drop.classList.remove("over"); };
  const dropped = (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer?.files.length) take(event.dataTransfer.files);
  };
  // Anywhere on the page will do.
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", out);
  document.addEventListener("drop", dropped);
  await Promise.all([load(), look()]);
  const timer = setInterval(() => { if (!document.hidden) look().catch(() => {}); }, LOOK);
  return () => {
    clearInterval(timer);
    document.removeEventListener("dragover", over);
    document.removeEventListener("dragleave", out);
    document.removeEventListener("drop", dropped);
  };
}

function runningEntry(one) {
  const kind = one.kind === "tournament" ? "Tournament" : "Match";
  const more = one.kind === "match" ? `${one.moves} moves` : one.fresh ? "" : "nothing new for a while";
  return el("li", {}, el("a", { class: "watch-entry", href: `/watch/${encodeURIComponent(one.id)}` },
    el("span", { class: `badge ${one.fresh ? "good" : ""}` }, one.fresh ? "live" : "still"),
    el("strong", {}, one.name || one.title), el("span", { class: "muted" }, [kind, ...(one.players ?? []), more].filter(Boolean).join(" · "))));
}

function recordTable(records) {
  const columns = ["Game", "Players", "Goals", "Moves", "File"];
  return el("table", { class: "table watch-records" },
    el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, records.map((one) => one.id
      ? el("tr", {},
        el("td", {}, el("a", { href: `/record/${encodeURIComponent(one.id)}` }, gameName(one.game) || short(one.named_game) || "which game?"),
          one.over ? null : el("span", { class: "badge good" }, "running"), one.aborted ? el("span", { class: "badge bad" }, "broken off") : null),
        el("td", {}, (one.players ?? []).map(short).join(", ") || "–"),
        el("td", { class: "watch-goals" }, (one.goals ?? []).map((goal) => goal ?? "–").join(" : ") || "–"),
        el("td", {}, one.moves), el("td", { class: "muted" }, short(one.file)))
      : el("tr", { class: "muted" }, el("td", { colspan: 4 }, one.problem), el("td", {}, short(one.file))))));
}

function short(text) {
  return String(text ?? "").length > 60 ? `${String(text).slice(0, 58)}…` : String(text ?? "");
}

/** A match or a tournament that another process plays. */
async function live(main, id) {
  const state = el("span", { class: "badge" }, "connecting");
  const which = el("div", { hidden: true });
  const place = el("div");
  fill(main, el("p", { class: "row" }, el("a", { href: "/watch" }, "← Watch"), state), which, place);
  let replay = null;
  let chosen = null;
  let match = null;
  const badge = (text, kind) => {
    state.textContent = text;
    state.className = `badge ${kind}`;
  };
  const showMatch = () => {
    const shown = { ...match, game: match.game ?? chosen };
    if (!replay) {
      replay = new Replay(place, { onGame: () => {
        if (!which.hidden) return;
        which.hidden = false;
        fill(which, gameForm(match, (game) => { which.hidden = true; chosen = game; showMatch(); }));
      } });
      replay.show(shown, { ply: shown.line.length });
    } else replay.show(shown);
  };
  const source = events(`/api/watch/${encodeURIComponent(id)}/events`, {
    open: () => badge("live", "good"),
    error: (again) => badge(again ? "connecting again" : "not connected", "bad"),
    match: (data) => {
      match = data;
      badge(data.over ? "over" : "live", data.over ? "" : "good");
      showMatch();
    },
    tournament: (data) => tournament(place, data),
    problem: (data) => toast(data.error, "bad"),
    gone: (data) => {
      badge("gone", "bad");
      toast(data.error, "bad");
      source.close();
    },
  });
  return () => {
    source.close();
    replay?.close();
  };
}

function percent(value) {
  return value === null || value === undefined ? "–" : `${(100 * value).toFixed(1)} %`;
}

/** Standings with their intervals, and the last matches to open. */
function tournament(place, data) {
  document.title = `${data.title} · WoodStock`;
  const done = data.expected_rounds ? data.rounds / data.expected_rounds : null;
  const rounds = data.expected_rounds ? `${data.rounds} of at most ${data.expected_rounds} rounds` : `${data.rounds} rounds`;
  const speed = data.speed > 0 ? `${data.speed < 1 ? data.speed.toFixed(2) : data.speed.toFixed(1)} matches a second` : "nothing in the last minute";
  const columns = ["Won", "Drawn", "Lost", "Score", "95 %", "Goal", "Mistakes"];
  fill(place, el("div", { class: "stack" },
    el("section", { class: "card" }, el("h1", {}, data.title),
      el("p", { class: "muted" }, `${data.played} matches, ${rounds}, ${speed} · ${data.games.join(", ")}`),
      done === null ? null : el("progress", { class: "watch-progress", max: 1, value: done, "aria-label": "Rounds played" }),
      data.problems.length ? el("div", { class: "notice bad" }, data.problems.map((text) => el("p", {}, text))) : null,
      el("div", { class: "scroll" }, el("table", { class: "table watch-standings" },
        el("caption", { class: "offstage" }, "Standings"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Participant"), el("th", { scope: "col", class: "number" }, "Matches"),
          columns.map((name) => el("th", { scope: "col", class: "number" }, name)))),
        el("tbody", {}, data.standings.map((row) => el("tr", {}, el("th", { scope: "row" }, row.name),
          [row.matches, row.won, row.drawn, row.lost].map((number) => el("td", { class: "number" }, number)),
          el("td", { class: "number" }, percent(row.score)), el("td", { class: "number watch-interval" }, interval(row)),
          el("td", { class: "number" }, percent(row.goal)), el("td", { class: "number" }, row.mistakes || "–"))))))),
    el("section", { class: "card" }, el("h2", {}, "Last matches"), el("div", { class: "scroll" },
      el("table", { class: "table" },
        el("thead", {}, el("tr", {}, ["Game", "Players and goals", "Moves", "Begun"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, data.last.map((one) => el("tr", {},
          el("td", {}, el("a", { href: `/record/${encodeURIComponent(one.id)}` }, one.game)),
          el("td", {}, one.seats.map((seat) => `${seat.name} ${seat.goal}`).join(" : ")),
          el("td", {}, one.moves), el("td", { class: "muted" }, new Date(one.started).toLocaleTimeString())))))))));
  say(`${data.played} matches`);
}

/** An interval as a bar and in figures. */
function interval(row) {
  if (!row.interval) return "–";
  const [low, high] = row.interval;
  return el("span", { class: "watch-bar-row" },
    el("span", { class: "watch-bar", "aria-hidden": "true" },
      el("span", { class: "watch-bar-range", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }),
      el("span", { class: "watch-bar-point", style: { left: `${100 * row.score}%` } })),
    `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`);
}
