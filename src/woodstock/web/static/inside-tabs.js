// The tabs in words and tables: symmetries, beliefs, why, size.

import { drawing, el, fill } from "./dom.js";

const head = (...names) => el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name))));
const count = (number) => Number(number).toLocaleString("en", { maximumFractionDigits: number < 10 ? 3 : number < 1000 ? 1 : 0 });
const many = (number, one, more) => `${number} ${String(number) === "1" ? one : more}`;

function picture(text, label) {
  const art = text ? drawing(text) : null;
  if (!art) return null;
  art.setAttribute("role", "img");
  art.setAttribute("aria-label", label);
  return el("div", { class: "inside-picture" }, art);
}

// Symmetries

export function symmetriesTab({ box, load }) {
  load(box, { what: "symmetries" }, (found) => {
    const least = found.complete ? "" : "at least ";
    const holder = el("div", {});
    const colors = {};
    const show = (one) => fill(holder, picture(one.svg, `The board with the orbits of the ${one.about}`));
    const choices = found.pictures.length > 1
      ? el("label", { class: "field" }, el("span", {}, "Colours show the orbits of"),
        el("select", { onchange: (event) => show(found.pictures[event.target.value]) },
          found.pictures.map(({ about }, index) => el("option", { value: index }, about))))
      : null;
    for (const one of found.pictures) if (one.role) colors[one.role] = one.colors;
    if (found.pictures.length) show(found.pictures[0]);
    fill(box,
      el("p", {}, el("strong", {}, `${least}${many(found.order, "symmetry", "symmetries")}`), ` of the rules, ${least}`,
        el("strong", {}, found.order_here), " of them ", String(found.order_here) === "1" ? "keeps" : "keep", " this position. Moves and cells of one orbit are equal: a search looks at one of them.",
        found.idle.length ? ` Nothing depends on ${found.idle.slice(0, 5).join(", ")}.` : ""),
      el("div", { class: "inside-split" },
        el("div", { class: "stack" }, choices, holder, found.pictures.length ? null : el("p", { class: "notice" }, "No two places of this position are equal by symmetry, or it has no board: there is nothing to colour.")),
        el("div", { class: "stack" }, generators(found))),
      Object.entries(found.moves).map(([role, moves]) => orbitTable(role, moves, found, colors[role] ?? {})));
  });
}

function orbitTable(role, moves, found, colors) {
  const orbits = [];
  for (const [move, number] of Object.entries(moves)) (orbits[number] ??= []).push(move);
  const shown = orbits.slice(0, 80);
  return el("section", {}, el("h2", {}, `${role}: ${many(found.counts[role].moves, "move", "moves")}, ${found.counts[role].orbits} up to symmetry`),
    el("div", { class: "scroll" }, el("table", { class: "table" }, head("Orbit", "Moves", "Which"),
      el("tbody", {}, shown.map((orbit, number) => {
        const name = found.names[role][number];
        const color = colors[name];
        return el("tr", {}, el("td", {}, el("span", { class: color ? "swatch" : "swatch plain-swatch", style: color ? { "--swatch": color } : {} }, name)),
          el("td", {}, orbit.length), el("td", { class: "orbit-moves" }, orbit.slice(0, 40).join("  "), orbit.length > 40 ? ` … ${orbit.length - 40} more` : ""));
      })))), orbits.length > shown.length ? el("p", { class: "muted" }, `${orbits.length - shown.length} more orbits`) : null);
}

function generators(found) {
  if (!found.generators.length) return [el("p", { class: "muted" }, "Only the symmetry that changes nothing was found.")];
  return [el("h2", {}, "They are made of"),
    found.generators.map((one, index) => el("details", {},
      el("summary", {}, one.words.length ? one.words.join("; ") : `Generator ${index + 1}`, ` (${one.moved} things move)`),
      el("ul", {}, one.cycles.map((cycle) => el("li", { class: "orbit-moves" }, cycle))),
      one.more ? el("p", { class: "muted" }, `${one.more} more`) : null)),
    found.more_generators ? el("p", { class: "muted" }, `and ${found.more_generators} others`) : null];
}

// Beliefs

export function beliefTab({ box, load, view }) {
  const result = el("div", {});
  const role = el("select", { onchange: () => ask() }, view.players.map((one) => el("option", { value: one }, one)));
  const ask = () => load(result, { what: "belief", role: role.value }, show);
  fill(box, el("div", { class: "inside-bar" }, el("label", { class: "field" }, el("span", {}, "Who looks?"), role)), result);
  ask();

  function show(found) {
    if (!found.hidden) {
      fill(result, el("p", { class: "notice" }, `Nothing is hidden in this game: ${found.role} knows all ${found.sure} facts of the position.`));
      return;
    }
    const kind = found.exact ? "that agree with all it has seen" : "drawn from those that agree with what it has seen";
    fill(result, el("p", {}, el("strong", {}, found.role), " takes ", el("strong", {}, many(count(found.states), "state", "states")), ` for possible, ${kind}. ${found.sure} facts are sure. Information is ${found.information}.`),
      el("div", { class: "inside-split" },
        picture(found.svg, `What ${found.role} knows: ${found.text}`) ?? el("pre", {}, found.text),
        el("div", {}, el("h2", {}, "In doubt"), found.doubts.length ? el("ul", {}, found.doubts.map((doubt) => el("li", {}, doubt))) : el("p", { class: "muted" }, "Nothing: it knows the state."))),
      found.unsure.length ? el("div", { class: "scroll" }, el("table", { class: "table" }, head("What may hold", "Probability", "", "In truth"),
        el("tbody", {}, found.unsure.map((one) => el("tr", {}, el("td", { class: "orbit-moves" }, one.fluent), el("td", { class: "number" }, percent(one.p)),
          el("td", {}, el("span", { class: "chance-bar", "aria-hidden": "true" }, el("span", { style: { "--part": `${100 * one.p}%` } }))),
          el("td", {}, one.true ? "holds" : "")))))) : null,
      found.more ? el("p", { class: "muted" }, `${found.more} more`) : null,
      found.unsure.length ? el("details", {}, el("summary", {}, "The likeliest states"),
        el("ol", {}, found.possible.map((one) => el("li", { class: "orbit-moves" }, `${percent(one.p)}: ${one.fluents.join(" ") || "nothing more"}`)))) : null);
  }
}

function percent(part) {
  return `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
}

// Why

export function whyTab({ box, load, view }) {
  const result = el("div", { "aria-live": "polite" });
  const options = el("datalist", { id: "why-moves" });
  const role = el("select", { onchange: () => list() }, view.roles.map((one) => el("option", { value: one }, one)));
  role.value = view.turn[0] ?? view.roles[0];
  const move = el("input", { type: "text", list: "why-moves", placeholder: "(mark 2 2)", autocomplete: "off", spellcheck: "false", class: "mono" });
  const list = () => fill(options, (view.moves[role.value] ?? []).slice(0, 400).map((one) => el("option", { value: one.move })));
  const ask = (more) => { fill(result); load(result, { what: "why", ...more }, show); };
  const asked = (text) => { move.value = text; ask({ role: role.value, move: text }); };
  list();
  fill(box,
    el("p", { class: "muted" }, "Type any move, legal or not: the rules answer."),
    el("form", { class: "inside-bar", onsubmit: (event) => { event.preventDefault(); if (move.value.trim()) asked(move.value.trim()); } },
      el("label", { class: "field" }, el("span", {}, "Role"), role),
      el("label", { class: "field" }, el("span", {}, "Move"), move), options,
      el("button", { type: "submit", class: "button primary" }, "Why?"),
      el("button", { type: "button", class: "button", onclick: () => ask({ atom: "terminal" }) }, view.terminal ? "Why is it over?" : "Why is it not over?")),
    result);
  const first = (view.moves[role.value] ?? [])[0]?.move;
  if (first) {
    move.value = first;
    ask({ role: role.value, move: first });
  } else ask({ atom: "terminal" });

  function show(found) {
    const headline = found.atom
      ? (found.atom === "terminal" ? (found.holds ? "The game is over." : "The game is not over.") : `${found.atom} ${found.holds ? "holds" : "does not hold"}.`)
      : `${found.move} is ${found.holds ? "legal" : "not legal"} for ${found.role}.`;
    const nearest = (found.nearest ?? []).map((text) => el("li", {}, el("button", { type: "button", class: "net-link", onclick: () => asked(text) }, text)));
    fill(result,
      el("p", { class: `why-answer ${found.holds ? "good" : "bad"}` }, mark(found.holds), " ", headline),
      found.because.length ? el("ul", { class: "why-because" }, found.because.map((text) => el("li", {}, text))) : null,
      found.shapes ? [el("p", {}, "Moves look like this:"), el("ul", {}, found.shapes.map((text) => el("li", {}, el("code", {}, text))))] : null,
      nearest.length ? [el("p", {}, "Legal and near it:"), el("ul", { class: "net-links" }, nearest)] : null,
      found.rules.length ? el("h2", {}, found.holds ? "The rule that says so" : "The rules that come nearest") : null,
      found.rules.map((rule) => ruleCard(rule, true)),
      found.left ? el("p", { class: "muted" }, `${many(found.left, "rule comes", "rules come")} less near.`) : null,
      found.over && !found.atom ? el("p", { class: "notice" }, "The game is over, so no move can be made.") : null);
  }
}

function mark(holds) {
  const [look, sign, words] = holds === null ? ["unknown", "?", "cannot be told"] : holds ? ["met", "✓", "holds"] : ["failed", "✗", "fails"];
  return el("span", { class: `why-mark ${look}` }, el("span", { "aria-hidden": "true" }, sign), el("span", { class: "offstage" }, words));
}

function ruleCard(rule, open) {
  return el("div", { class: "why-rule" },
    el("code", { class: "why-text" }, `line ${rule.line}: ${rule.rule}`),
    el("ul", { class: "why-tree" }, rule.conditions.map((one) => condition(one, open))),
    rule.conditions.length ? null : el("p", { class: "muted" }, "It has no conditions."));
}

function condition(one, open) {
  const below = one.rules ?? [];
  return el("li", {},
    el("div", { class: "why-line" }, mark(one.holds), el("code", {}, one.text), one.note ? el("span", { class: "muted" }, one.note) : null),
    one.instead?.length ? el("div", { class: "why-instead" }, `there is ${one.instead.join(", ")}`) : null,
    below.length ? el("details", { class: "why-below", open: open && one.holds === false },
      el("summary", {}, one.holds === (one.kind !== "not") ? "by this rule" : `${many(below.length, "rule", "rules")} could say so${one.left ? `, and ${one.left} more` : ""}`),
      below.map((rule) => ruleCard(rule, open))) : null);
}

// Size

export function sizeTab({ box, load }) {
  load(box, { what: "size" }, (found) => {
    const tile = (number, text) => el("div", { class: "size-tile" }, el("strong", {}, number), text);
    const { figures, words } = found;
    fill(box,
      el("div", { class: "size-tiles" },
        tile(found.engine, "engine"),
        tile(count(found.playouts_per_second), `playouts a second, measured for ${found.measured_seconds} s on one thread`),
        tile(count(found.plies_per_second), "moves a second"),
        found.mean_length === null ? null : tile(count(found.mean_length), "moves in a random game from here"),
        figures.gates === undefined ? null : tile(count(figures.gates), "gates of the circuit"),
        figures.rules === undefined ? null : tile(count(figures.rules), "ground rules")),
      found.notes.map((note) => el("p", { class: "notice" }, note)),
      found.warnings.length ? el("ul", {}, found.warnings.map((text) => el("li", { class: "muted" }, text))) : null,
      el("div", { class: "scroll" }, el("table", { class: "table" }, head("Figure", "How many"), el("tbody", {},
        el("tr", {}, el("td", {}, "clauses of the rulesheet"), el("td", { class: "number" }, count(found.rules.clauses))),
        Object.entries(figures).map(([name, number]) => el("tr", {}, el("td", {}, words[name]), el("td", { class: "number" }, count(number))))))));
  });
}
