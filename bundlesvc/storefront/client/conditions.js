/** The conditions engine (docs/conditions.md). It never throws, whatever the graph contains, and does not recurse. */

import { outcomeOf } from "./condition-graph.js";
import { linesOf } from "./selection-lines.js";

/** @type {typeof import("./conditions.js").evaluateConditions} */
export function evaluateConditions(nodes, selection, facts) {
  return outcomeOf(nodes ?? [], linesOf(selection, facts), facts).conditions;
}
