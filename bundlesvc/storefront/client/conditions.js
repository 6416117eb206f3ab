/**
 * The conditions engine of a bundle (docs/conditions.md): a graph of conditions, groups and actions over a selection.
 *
 * It comes to what the service comes to for the same selection, prices and facts; both are held to one file of vectors. The
 * service decides all the same: this is for showing a shopper what will happen. What cannot be run here (a kind, type or
 * operation of a later version) is left out with all that depends on it, and the result is marked partial. No graph makes
 * it throw, and nothing here recurses, however deep groups nest.
 */

import { actionsInOrder, childrenOf, runnableNodes } from "./condition-graph.js";
import { conditionHolds } from "./condition-nodes.js";
import { setAside } from "./free-items.js";
import { bareId, linesOf } from "./selection-lines.js";

/** @typedef {import("./conditions.d.ts").GraphNode} GraphNode */
/** @typedef {import("./conditions.d.ts").Selection} Selection */
/** @typedef {import("./conditions.d.ts").Facts} Facts */
/** @typedef {import("./conditions.d.ts").HiddenProduct} HiddenProduct */
/** @typedef {import("./conditions.d.ts").ConditionsResult} ConditionsResult */
/** @typedef {import("./condition-nodes.js").Node} Node */
/** @typedef {import("./selection-lines.js").Line} Line */

/**
 * Whether a node held, and the ids of the conditions that decided it.
 * @typedef {{ readonly holds: boolean, readonly decidedBy: readonly string[] }} Verdict
 */

/** @type {Verdict} */
const ALWAYS = { holds: true, decidedBy: [] };

/**
 * What a bundle's conditions come to for a selection.
 *
 * @param {readonly GraphNode[] | null | undefined} nodes `conditionsEngineNodes` of GET /bundles/:id; absent means none
 * @param {Selection} selection the items of the configure body, and what is known of their variants
 * @param {Facts} facts the shop's weight unit, the country asked for, whether a subscription option is chosen
 * @returns {ConditionsResult}
 * @throws {TypeError} when the price of a variant is no decimal string
 * @throws {RangeError} when its weight is no whole number
 */
export function evaluateConditions(nodes, selection, facts) {
  const written = nodes ?? [];
  const runnable = runnableNodes(written, facts);
  const actions = actionsInOrder(written, runnable);
  const aside = setAside(linesOf(selection, facts), actions.filter((action) => action.type === "free-item"));
  const verdicts = judge(runnable, aside.rest, facts);
  const verdictsOfActions = actions.map((action) => ({ action, ...verdictIn(verdicts, action.id) }));
  const fired = verdictsOfActions.filter((verdict) => verdict.holds).map((verdict) => verdict.action);
  const granting = new Set(fired.map((action) => action.id));
  return {
    ...effectsOf(fired),
    free: aside.taken.filter((units) => granting.has(units.actionId)),
    actions: verdictsOfActions.map(({ action, holds, decidedBy }) => ({ id: action.id, fired: holds, decidedBy })),
    partial: runnable.length < written.length,
  };
}

/**
 * What the actions that fired do, beside granting units that were set aside.
 *
 * @param {readonly Node[]} fired
 * @returns {Omit<ConditionsResult, "free" | "actions" | "partial">}
 */
function effectsOf(fired) {
  /** @param {string} type */
  const ofType = (type) => fired.filter((action) => action.type === type);
  /** @param {Node} action */
  const words = (action) => ({ actionId: action.id, text: action.text });
  const [first] = ofType("discount");
  return {
    discount: first ? { type: first.discount.type, value: first.discount.value, actionId: first.id } : null,
    messages: ofType("message").map(words),
    hiddenSections: [...new Set(ofType("hide-section").map((action) => action.sectionId))],
    hiddenProducts: hiddenProducts(ofType("hide-product")),
    goto: ofType("goto-section")[0]?.sectionId ?? null,
    blocks: ofType("block-cart").map(words),
  };
}

/**
 * What hide-product actions hide, each once.
 *
 * @param {readonly Node[]} actions
 * @returns {HiddenProduct[]}
 */
function hiddenProducts(actions) {
  const hidden = actions.map(({ productId, sectionId }) => ({
    productId: bareId(productId),
    sectionId: sectionId ?? null,
  }));
  return [...new Map(hidden.map((one) => [`${one.productId}/${one.sectionId}`, one])).values()];
}

/**
 * The verdict of every node by id, in one pass over nodes that come after what they depend on.
 *
 * @param {readonly Node[]} nodes
 * @param {readonly Line[]} lines
 * @param {Facts} facts
 * @returns {Map<unknown, Verdict>}
 */
function judge(nodes, lines, facts) {
  /** @type {Map<unknown, Verdict>} */
  const verdicts = new Map();
  for (const node of nodes) {
    verdicts.set(node.id, verdictOf(node, verdicts, lines, facts));
  }
  return verdicts;
}

/**
 * @param {Node} node
 * @param {ReadonlyMap<unknown, Verdict>} verdicts
 * @param {readonly Line[]} lines
 * @param {Facts} facts
 * @returns {Verdict}
 */
function verdictOf(node, verdicts, lines, facts) {
  switch (node.kind) {
    case "condition":
      return { holds: conditionHolds(node, lines, facts), decidedBy: [node.id] };
    case "group":
      return groupVerdict(node.mode, childrenOf(node).map((child) => verdictIn(verdicts, child)));
    default:
      return node.when == null ? ALWAYS : verdictIn(verdicts, node.when);
  }
}

/**
 * The verdict of a node that can be run: it is there by the time that it is asked for.
 *
 * @param {ReadonlyMap<unknown, Verdict>} verdicts
 * @param {unknown} id
 * @returns {Verdict}
 */
function verdictIn(verdicts, id) {
  return verdicts.get(id) ?? ALWAYS;
}

/**
 * all: every child holds; any: one does; none: no one does. The deciding conditions are those of the deciding children.
 *
 * @param {string} mode
 * @param {readonly Verdict[]} children
 * @returns {Verdict}
 */
function groupVerdict(mode, children) {
  const decisive = mode !== "all"; // one child with this verdict settles the group
  const settling = children.filter((child) => child.holds === decisive);
  const settled = settling.length > 0;
  const deciders = (settled ? settling : children).flatMap((child) => child.decidedBy);
  return { holds: mode === "any" ? settled : !settled, decidedBy: [...new Set(deciders)] };
}
