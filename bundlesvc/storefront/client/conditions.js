/** The conditions engine (docs/conditions.md). It does not throw, whatever the graph, and does not recurse. */

import { outcomeOf } from "./condition-graph.js";
import { linesOf } from "./selection-lines.js";

/** @type {typeof import("./conditions.js").evaluateConditions} */
export function evaluateConditions(nodes, selection, facts) {
  return outcomeOf(nodes ?? [], linesOf(selection, facts), facts).conditions;
}
