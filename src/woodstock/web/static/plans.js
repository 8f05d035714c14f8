// Plans: for one player, or several with the same goals, the moves to the end; policies against chance.

import { el, fill, icon } from "./dom.js";
import { runJob } from "./thinker.js";
import { words } from "./tree.js";

/** The panel of plans; `request()` is the position asked about, `onLine(line)` plays one. */
export class PlanPanel {
  constructor({ request, onLine }) {
    Object.assign(this, { request, onLine });
    this.job = null;
    this.button = el("button", { type: "button", class: "button", onclick: () => (this.job ? this.job.stop() : this.start()) });
    this.said = el("p", { class: "muted", "aria-live": "polite" });
    this.found = el("div", {});
    this.node = el("section", { class: "card", hidden: true }, el("h2", {}, "Plan to the end"), this.button, this.said, this.found);
    this.draw();
  }

  /** A position is shown; what was planned for another one is gone. */
  show(view) {
    this.leave();
    this.roles = view.roles;
    this.over = view.terminal;
    if (view.players.length === 1) this.allow(true);
    this.button.disabled = view.terminal;
    fill(this.said);
    fill(this.found);
    this.draw();
  }

  /** Whether the game is one for plans. */
  allow(possible) {
    if (possible) this.node.hidden = false;
  }

  draw() {
    fill(this.button, icon(this.job ? "stop" : "search"), this.job ? "Stop" : "Look for a plan");
  }

  async start() {
    this.turn = (this.turn ?? 0) + 1;
    const mine = this.turn;
    const current = () => mine === this.turn;
    const end = (act) => (told) => {
      if (!current()) return;
      this.job = null;
      act(told);
      this.draw();
    };
    this.job = { stop() {}, leave() {} };
    fill(this.found);
    fill(this.said, "looking …");
    this.draw();
    try {
      const job = await runJob({ ...this.request(), what: "plan" }, {
        progress: (told) => {
          if (!current()) return;
          fill(this.said, told.text);
          this.tell(told);
        },
        done: end((told) => this.finish(told)),
        failed: end((error) => fill(this.said, el("span", { class: "bad" }, error))),
      });
      if (!current()) job.leave();
      else if (this.job) this.job = job;
    } catch (problem) {
      end(() => fill(this.said, el("span", { class: "bad" }, problem.message)))();
    }
  }

  leave() {
    this.turn = (this.turn ?? 0) + 1;
    this.job?.leave();
    this.job = null;
  }

  finish(told) {
    this.tell(told);
    const { plan, policy, words: proof } = told;
    if (plan) fill(this.said, el("strong", {}, `Goal ${plan.goal} in ${plan.horizon} turns`), `, found by ${plan.by} in ${told.seconds.toFixed(1)} s; ${proof}.`,
      plan.proof === "proved" ? el("span", { class: "badge good" }, "proved") : null);
    else if (policy) fill(this.said, el("strong", {}, `${policy.value.toFixed(2)} expected`), ` within ${policy.horizon} turns (${policy.exact}); ${proof}.`);
    else fill(this.said, `${proof}.`);
  }

  tell({ plan, policy }) {
    if (plan) {
      fill(this.found,
        el("button", { type: "button", class: "button small", onclick: () => this.onLine(plan.moves) }, icon("play"), "Play the plan"),
        el("ol", { class: "analyse-plan" }, plan.moves.map((joint, index) => el("li", {},
          el("button", { type: "button", class: "tree-move", onclick: () => this.onLine(plan.moves.slice(0, index + 1)) }, words(joint, this.roles))))));
    } else if (policy) fill(this.found, el("p", {}, "First move: ", el("code", {}, policy.move)));
  }
}
