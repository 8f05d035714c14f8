// The tab with the network of the turn: the graph, a search, and what was picked in words.

import { el, fill } from "./dom.js";
import { NetworkGraph, legend } from "./network.js";

const KINDS = {
  action: "a decision: the move of a role", chance: "the move of chance", score: "the score of a role",
  terminal: "whether the game is over", now: "part of the state", next: "part of the next state",
  percept: "what a role perceives", helper: "a helper that rules define",
};
const STATUS = { given: "given by the state", decided: "decided by propagation", narrowed: "narrowed by propagation", open: "open" };

export function networkTab({ box, load }) {
  const frame = el("div", { class: "net-frame" });
  const detail = el("div", { class: "stack", "aria-live": "polite" });
  const figures = el("ul", { class: "inside-figures" });
  const notes = el("p", { class: "muted" });
  const names = el("datalist", { id: "net-names" });
  const words = el("div", {});
  const search = el("input", { type: "search", list: "net-names", placeholder: "terminal", autocomplete: "off", spellcheck: "false" });
  const part = el("select", { onchange: () => ask({ part: part.value }) },
    el("option", { value: "" }, "What fits"), el("option", { value: "open" }, "What is open"), el("option", { value: "all" }, "From the decisions outwards"));
  const whole = el("button", { type: "button", class: "button small", hidden: true, onclick: () => ask({ part: part.value }) }, "Back to the whole");
  const form = el("form", { class: "inside-bar", onsubmit: (event) => { event.preventDefault(); find(search.value.trim()); } },
    el("label", { class: "field" }, el("span", {}, "Find a variable"), search),
    el("button", { type: "submit", class: "button small" }, "Find"),
    el("label", { class: "field" }, el("span", {}, "Show"), part), whole);
  let graph = null;
  let data = null;
  const body = el("div", {});
  fill(box, body);

  const button = (text, label, action) => el("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: action }, text);

  function ask(more) {
    return load(body, { what: "network", ...clean(more) }, show);
  }

  function show(found) {
    data = found;
    if (!graph) {
      graph = new NetworkGraph(frame, { onPick });
      frame.append(el("div", { class: "net-zoom" },
        button("+", "Zoom in", () => graph.zoom(1.3)), button("−", "Zoom out", () => graph.zoom(1 / 1.3)), button("⤢", "Show all", () => graph.fit())));
    }
    if (!frame.isConnected) {
      fill(body, figures, form, names, el("div", { class: "net-split" }, el("div", {}, frame, legend(), notes), detail), words);
    }
    const { variables, open, decided, given, constraints, soft, rows, seconds } = found.figures;
    const figure = (number, text) => el("li", {}, el("strong", {}, number.toLocaleString("en")), ` ${text}`);
    fill(figures, figure(variables, "variables"), figure(given, "given by the state"), figure(decided, "decided"), figure(open, "open"),
      figure(constraints, "hard constraints"), figure(soft, "soft"), figure(rows, "rows"), figure(seconds, "s to make"));
    fill(names, found.names.map((name) => el("option", { value: name })));
    whole.hidden = !found.focus;
    const left = found.left.variables;
    notes.textContent = `${found.encoding} encoding. ${left ? `${left.toLocaleString("en")} variables are not shown. ` : ""}${found.consistent ? "" : "The state has no solution. "}Drag to move; Ctrl and the wheel, two fingers, or + and − zoom.`;
    graph.show(found);
    graph.pick(found.focus ? `v:${found.focus}` : null);
    table();
  }

  function find(name) {
    if (!name) return;
    const known = data.variables.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (known) graph.pick(`v:${known.name}`, { center: true });
    else {
      const near = data.names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? data.names.find((one) => one.toLowerCase().includes(name.toLowerCase()));
      ask({ focus: near ?? name });
    }
  }

  function link(name) {
    return el("li", {}, el("button", { type: "button", class: "net-link", onclick: () => find(name) }, name));
  }

  function onPick(kind, one) {
    if (kind === "variable") variable(one);
    else if (kind === "constraint") constraint(one);
    else fill(detail, el("p", { class: "muted" }, "Pick a box or a dot to see its values or its table."));
  }

  function variable(one) {
    const after = new Set(one.after);
    const ties = data.constraints.filter(({ scope }) => scope.includes(one.name));
    fill(detail, el("h2", {}, one.name),
      el("p", {}, `${KINDS[one.kind]}; ${STATUS[one.status]}. ${one.left} of ${one.size} values ${one.left === 1 ? "is" : "are"} left:`),
      el("ul", { class: "net-values" },
        one.after.map((value) => el("li", {}, value)),
        one.before.filter((value) => !after.has(value)).map((value) => el("li", { class: "gone" }, value, el("span", { class: "offstage" }, " (removed)"))),
        one.size > one.before.length ? el("li", { class: "gone" }, "…") : null),
      el("div", {}, el("button", { type: "button", class: "button small", onclick: () => ask({ focus: one.name }) }, "Only its neighbourhood")),
      el("h3", {}, `In ${one.ties} ${one.ties === 1 ? "constraint" : "constraints"}`),
      el("ul", { class: "net-links" }, ties.slice(0, 24).map((tie) => el("li", {}, el("button", {
        type: "button", class: "net-link", onclick: () => graph.pick(`c:${tie.id}`, { center: true }),
      }, about(tie, one.name))))));
  }

  function constraint(one) {
    const what = { hard: "A hard constraint", soft: "A soft constraint: what the end is worth", chance: "A probability" }[one.kind];
    const header = one.header ?? one.scope;
    fill(detail, el("h2", {}, one.name || "constraint"),
      el("p", {}, `${what}${one.stochastic ? ", stochastic" : ""}. ${one.left} of ${one.rows} rows ${one.left === 1 ? "is" : "are"} still possible${one.allowed === false ? " (rows are forbidden)" : ""}.`),
      el("ul", { class: "net-links" }, one.scope.map(link)),
      one.sample.length ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rows" }, el("table", { class: "table" },
        el("thead", {}, el("tr", {}, header.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, one.sample.map((row) => el("tr", {}, row.map((value) => el("td", {}, value))))))) : null,
      one.left > one.sample.length && one.sample.length ? el("p", { class: "muted" }, `${one.left - one.sample.length} more`) : null);
  }

  function table() {
    const rows = data.variables.map((one) => el("tr", {},
      el("td", {}, el("button", { type: "button", class: "net-link", onclick: () => graph.pick(`v:${one.name}`, { center: true }) }, one.name)),
      el("td", {}, KINDS[one.kind]), el("td", {}, STATUS[one.status]), el("td", { class: "number" }, `${one.left} of ${one.size}`)));
    fill(words, el("details", {}, el("summary", {}, `The ${rows.length} variables as a table`),
      el("div", { class: "scroll" }, el("table", { class: "table" },
        el("thead", {}, el("tr", {}, ["Variable", "What it is", "Status", "Values left"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, rows)))));
  }

  ask({});
  return () => graph?.close();
}

/** A constraint in a few words, for whoever comes from one of its variables. */
function about(tie, from) {
  if (tie.defines && tie.name.startsWith("definition")) return tie.name;
  const others = tie.scope.filter((name) => name !== from);
  return `${tie.name || "table"}: ${others.slice(0, 2).join(", ")}${others.length > 2 ? " …" : ""}`;
}

function clean(more) {
  return Object.fromEntries(Object.entries(more).filter(([, value]) => value));
}
