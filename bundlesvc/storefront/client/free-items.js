/**
 * The units that free-item actions set aside.
 */

import { quantityOf } from "./condition-nodes.js";
import { bareId } from "./selection-lines.js";

/** @typedef {import("./conditions.d.ts").FreeUnits} FreeUnits */
/** @typedef {import("./condition-nodes.js").Node} Node */
/** @typedef {import("./selection-lines.js").Line} Line */

/**
 * The units that free-item actions take before anything is judged, whether or not they will fire: up to `quantity` of their
 * variant each, from section 0 and then by ascending section id, personalised ones last. `rest` is what conditions see.
 *
 * @param {readonly Line[]} lines
 * @param {readonly Node[]} freeItems
 * @returns {{ taken: FreeUnits[], rest: Line[] }}
 */
export function setAside(lines, freeItems) {
  const left = lines.map((line) => ({ ...line })).sort(byTurn);
  const taken = freeItems.flatMap((action) => takeFrom(left, action));
  return { taken, rest: left.filter((line) => line.count > 0) };
}

/**
 * @param {Line} one
 * @param {Line} other
 * @returns {number}
 */
function byTurn(one, other) {
  return Number(one.personalised) - Number(other.personalised) || one.sectionId - other.sectionId;
}

/**
 * The units that one action takes from the lines, by section; the counts of the lines go down.
 *
 * @param {readonly Line[]} left
 * @param {Node} action
 * @returns {FreeUnits[]}
 */
function takeFrom(left, action) {
  const variantId = bareId(action.variantId);
  /** @type {Map<number, number>} */
  const counts = new Map();
  let wanted = quantityOf(action);
  for (const line of left.filter((one) => one.variantId === variantId)) {
    const count = Math.min(wanted, line.count);
    counts.set(line.sectionId, (counts.get(line.sectionId) ?? 0) + count);
    line.count -= count;
    wanted -= count;
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([sectionId, count]) => ({ variantId, sectionId, count, actionId: action.id }));
}
