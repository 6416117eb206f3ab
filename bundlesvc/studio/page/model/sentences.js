/** Paths and values of bundles as readable text. */

import { say, sayOf } from "../words/words.js";

/** @import { Catalogue } from "./catalogue.js" */
/** @import { Plain } from "../types.js" */
/** @import { Step } from "./plain.js" */

/** The place of a part: "Discount › Tiers". @param {readonly Step[]} path @param {Catalogue} [catalogue] */
export function pathText(path, catalogue) {
  return path.map((step) => stepText(step, catalogue)).join(" › ");
}

/** @param {Step} step @param {Catalogue | undefined} catalogue */
function stepText(step, catalogue) {
  if (/^\d+$/.test(String(step))) return catalogue?.get(step)?.title ?? String(step);
  return sayOf("path", String(step));
}

/** @param {Plain} value @returns {string} */
export function valueText(value) {
  if (value === null || value === undefined || value === "") return say("nothing");
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.length ? value.map(valueText).join("; ") : say("nothing");
  return Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .map(([key, inner]) => `${sayOf("path", key)}: ${valueText(inner)}`)
    .join(", ");
}
