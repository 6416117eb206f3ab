/** Tables for the answers to a template's questions. */

import { el } from "../dom.js";
import { say, sayOf } from "../words/words.js";

/** @import { Answers } from "../model/templates.js" */

/** The discount for each number of products. @param {Answers} answers */
export function tiersTable(answers) {
  const rows = answers.tiers.map((tier, place) =>
    el(
      "li.sentence",
      {},
      say("from-many"),
      number(`tier-${place}-value`, say("from-many"), tier.value, (value) => {
        tier.value = value;
      }),
      say("products-save"),
      number(`tier-${place}-discount`, say("products-save"), tier.discount, (value) => {
        tier.discount = value;
      }),
      "%",
    ),
  );
  return el("ol.sentences", {}, ...rows);
}

/** The intervals of a subscription, with their savings. @param {Answers} answers */
export function plansTable(answers) {
  const rows = answers.plans.map((plan, place) =>
    el(
      "li.sentence",
      {},
      say("every"),
      number(`plan-${place}-frequency`, say("every"), String(plan.frequency), (value) => {
        answers.plans[place] = { ...answers.plans[place], frequency: Number(value) };
      }),
      unitSelect(`plan-${place}-unit`, plan.unit, (unit) => {
        answers.plans[place] = { ...answers.plans[place], unit };
      }),
      say("save"),
      number(`plan-${place}-discount`, say("save"), plan.discount ?? "", (value) => {
        answers.plans[place] = { ...answers.plans[place], discount: value };
      }),
      "%",
    ),
  );
  return el("ol.sentences", {}, ...rows);
}

/** @typedef {import("../types.js").PlanOption["unit"]} Unit */

/**
 * @param {string} id
 * @param {Unit} value
 * @param {(unit: Unit) => void} then
 */
export function unitSelect(id, value, then) {
  const options = ["day", "week", "month", "year"].map((unit) =>
    el("option", { value: unit, text: sayOf("unit", unit), selected: unit === value }),
  );
  const select = el(
    "select",
    { id, "aria-label": say("unit"), change: () => then(/** @type {Unit} */ (select.value)) },
    ...options,
  );
  return select;
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} then
 */
function number(id, label, value, then) {
  const input = el("input.short", {
    id,
    type: "number",
    min: 0,
    step: "any",
    required: true,
    value,
    "aria-label": label,
    input: () => then(input.value),
  });
  return input;
}
