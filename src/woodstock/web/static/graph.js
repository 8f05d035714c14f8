// The value of each position of a line, as a graph: a click or an arrow key goes to the position.

import { el, fill, svg } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 180;
const EDGE = { left: 34, right: 10, top: 10, bottom: 22 };

/** Draw values over the plies into a box.
 *
 * `plies` is a list of `{values: {role: 0..1} | null, proved, title}`, `here` the ply that is shown,
 * `go(ply)` is told where somebody clicks.
 */
export function showGraph(box, { plies, players, here, go }) {
  const last = Math.max(1, plies.length - 1);
  const wide = WIDTH - EDGE.left - EDGE.right;
  const high = HEIGHT - EDGE.top - EDGE.bottom;
  const x = (ply) => EDGE.left + (wide * ply) / last;
  const y = (value) => EDGE.top + high * (1 - Math.max(0, Math.min(1, value)));
  // Where two play against each other one line tells all.
  const shown = mirrored(plies, players) ? players.slice(0, 1) : players;

  const picture = svg("svg", {
    class: "graph",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": summary(plies, shown),
  });
  for (const value of [0, 0.5, 1]) {
    picture.append(
      svg("line", { class: "graph-rule", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }),
      svg("text", { class: "graph-text", x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, 100 * value),
    );
  }
  const every = Math.max(1, Math.ceil(last / 12));
  for (let ply = 0; ply < plies.length; ply += every) {
    picture.append(svg("text", { class: "graph-text", x: x(ply), y: HEIGHT - 6, "text-anchor": "middle" }, ply));
  }
  picture.append(svg("line", { class: "graph-here", x1: x(here), x2: x(here), y1: EDGE.top, y2: EDGE.top + high }));
  shown.forEach((role, index) => {
    const kind = `graph-${index % 6}`;
    const known = plies.map((one, ply) => ({ ply, one, value: one.values?.[role] })).filter(({ value }) => value !== undefined && value !== null);
    const path = known.map(({ ply, value }, i) => `${i && known[i - 1].ply === ply - 1 ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    picture.append(svg("path", { class: `graph-line ${kind}`, d: path || "M0 0" }));
    for (const { ply, one, value } of known) {
      if (known.length > 80 && ply !== here && !one.proved) continue;
      picture.append(svg("circle", { class: `graph-dot ${kind}${one.proved ? " proved" : ""}`, cx: x(ply), cy: y(value), r: ply === here ? 5 : 3 }));
    }
  });
  picture.addEventListener("click", (event) => {
    const bounds = picture.getBoundingClientRect();
    const at = ((event.clientX - bounds.left) / bounds.width) * WIDTH;
    go(Math.max(0, Math.min(plies.length - 1, Math.round(((at - EDGE.left) / wide) * last))));
  });

  // The keyboard's way: a slider over the plies.
  const slider = el("input", {
    type: "range", class: "graph-slider", min: 0, max: plies.length - 1, step: 1, value: here,
    "aria-label": "Position in the line",
    "aria-valuetext": `${here}: ${plies[here]?.title || "start"}`,
    oninput: (event) => go(Number(event.target.value)),
  });
  const focused = box.querySelector(".graph-slider") === document.activeElement;
  fill(box, picture, slider, legend(shown, players));
  if (focused) slider.focus({ preventScroll: true });
}

/** Whether what one of two players has is what the other misses. */
function mirrored(plies, players) {
  if (players.length !== 2) return false;
  const [one, other] = players;
  const known = plies.filter(({ values }) => values && values[one] !== undefined);
  return known.every(({ values }) => Math.abs(values[one] + (values[other] ?? 1 - values[one]) - 1) < 0.02);
}

function legend(shown, players) {
  if (players.length < 2) return null;
  const rest = shown.length < players.length ? ` (${players[1]}: the rest of 100)` : "";
  return el("p", { class: "graph-legend muted" },
    shown.map((role, index) => el("span", { class: "graph-name" }, el("span", { class: `graph-swatch graph-${index % 6}`, "aria-hidden": "true" }), role)), rest);
}

function summary(plies, shown) {
  const known = plies.map((one, ply) => ({ ply, values: one.values })).filter(({ values }) => values);
  if (!known.length) return "Value over the line: nothing is valued yet";
  const texts = known.slice(0, 60).map(({ ply, values }) => `${ply}: ${shown.map((role) => `${role} ${Math.round(100 * (values[role] ?? 0))}`).join(", ")}`);
  return `Value over the line. ${texts.join("; ")}`;
}
