/** The conditions engine (docs/conditions.md). No graph makes it throw, and it does not recurse. */

import { outcomeOf } from "./condition-graph.js";
import { linesOf } from "./selection-lines.js";

/** @type {typeof import("./conditions.js").evaluateConditions} */
export function evaluateConditions(nodes, selection, facts) {
  return outcomeOf(nodes ?? [], linesOf(selection, facts), facts).conditions;
}
