/** A condition graph: the nodes that this version can run, and their result for the lines of a selection. */

import { ACTION_TYPES, CONDITION_TYPES } from "./condition-types.js";
import { isDecimal, multiply, parse } from "./decimal.js";
import { GRAMS_PER_UNIT, bareId, freeUnits, holds, isOperation, setAside, without } from "./selection-lines.js";

/** @import { Facts, GraphNode } from "./conditions.js" */
/** @import { Decimal } from "./decimal.js" */
/** @import { ConditionType, Line, Node, OutcomeOf, Quantity, Verdict, Verdicts } from "./internal.js" */

/** @type {Verdict} */
const ALWAYS = { holds: true, decidedBy: [] };

/** @type {OutcomeOf} */
export function outcomeOf(written, lines, facts) {
  const runnable = runnableNodes(written, facts);
  const running = new Set(runnable);
  const actions = [...new Set(/** @type {readonly Node[]} */ (written))].filter(
    (node) => isAction(node) && running.has(node),
  );
  const aside = setAside(lines, ofType(actions, "free-item"));
  const verdicts = judge(runnable, without(lines, aside), facts);
  const judged = actions.map((action) => ({ action, ...verdictIn(verdicts, action.id) }));
  const fired = judged.filter((verdict) => verdict.holds).map((verdict) => verdict.action);
  const granted = aside.filter(({ actionId }) => verdictIn(verdicts, actionId).holds);
  const conditions = {
    ...effectsOf(fired),
    free: freeUnits(granted),
    actions: judged.map(({ action, holds, decidedBy }) => ({ id: action.id, fired: holds, decidedBy })),
    partial: runnable.length < written.length,
  };
  return { conditions, granted, paid: without(lines, granted) };
}

/** @param {Node} node */
function isAction(node) {
  return node?.kind === "action";
}

/**
 * @param {readonly Node[]} actions
 * @param {string} type
 */
function ofType(actions, type) {
  return actions.filter((action) => action.type === type);
}

/**
 * The effects of the actions that fired, except for free units.
 *
 * @param {readonly Node[]} fired
 */
function effectsOf(fired) {
  /** @param {string} type */
  const textsOf = (type) => ofType(fired, type).map((action) => ({ actionId: action.id, text: action.text }));
  const [first] = ofType(fired, "discount");
  const products = ofType(fired, "hide-product").map(
    (action) => /** @type {const} */ ([bareId(action.productId), action.sectionId ?? null]),
  );
  return {
    discount: first ? { type: first.discount.type, value: first.discount.value, actionId: first.id } : null,
    messages: textsOf("message"),
    hiddenSections: [
      ...new Set(ofType(fired, "hide-section").map((action) => /** @type {number} */ (action.sectionId))),
    ],
    hiddenProducts: [
      ...new Map(products.map((one) => [one.join(), { productId: one[0], sectionId: one[1] }])).values(),
    ],
    goto: ofType(fired, "goto-section")[0]?.sectionId ?? null,
    blocks: textsOf("block-cart"),
  };
}

/**
 * The nodes that can run, each after the nodes that it depends on. A node is ready when all nodes that it depends on
 * are ready, so a node that depends on itself, on a missing node, or on a node that cannot run is never ready.
 *
 * @param {readonly GraphNode[]} written
 * @param {Facts} facts
 * @returns {Node[]}
 */
function runnableNodes(written, facts) {
  const nodes = distinctNodes(written);
  const dependents = dependentsIn(nodes);
  const missing = new Map(nodes.map((node) => [node, references(node).length]));
  const ready = nodes.filter((node) => missing.get(node) === 0 && canRun(node, facts));
  // `ready` grows during the loop. No node can depend on an action.
  for (const node of ready) {
    for (const dependent of isAction(node) ? [] : (dependents.get(node.id) ?? [])) {
      const left = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, left);
      if (left === 0 && canRun(dependent, facts)) ready.push(dependent);
    }
  }
  return ready;
}

/**
 * The nodes with distinct ids: of several nodes with the same id, only the first.
 *
 * @param {readonly GraphNode[]} written
 */
function distinctNodes(written) {
  /** @type {Map<string, Node>} */
  const byId = new Map();
  for (const node of written) {
    if (typeof node?.id === "string" && !byId.has(node.id)) byId.set(node.id, /** @type {Node} */ (node));
  }
  return [...byId.values()];
}

/**
 * The nodes that refer to each id, once for each reference.
 *
 * @param {readonly Node[]} nodes
 * @returns {ReadonlyMap<string, readonly Node[]>}
 */
function dependentsIn(nodes) {
  /** @type {Map<string, Node[]>} */
  const dependents = new Map();
  for (const node of nodes) {
    for (const reference of references(node)) {
      if (!dependents.has(reference)) dependents.set(reference, []);
      dependents.get(reference)?.push(node);
    }
  }
  return dependents;
}

/**
 * The ids that a node depends on. In a node of an unknown kind, `children` and `when` may contain anything.
 *
 * @param {Node} node
 * @returns {string[]}
 */
function references(node) {
  return node.when == null ? childrenOf(node) : [...childrenOf(node), node.when];
}

/** @param {Node} node */
function childrenOf(node) {
  return [node.children ?? []].flat();
}

/**
 * Whether this version can run a node.
 *
 * @param {Node} node
 * @param {Facts} facts
 */
function canRun(node, facts) {
  switch (node.kind) {
    case "condition":
      return canEvaluate(CONDITION_TYPES.get(node.type), node, facts);
    case "group":
      return ["all", "any", "none"].includes(node.mode);
    case "action":
      return !!ACTION_TYPES.get(node.type)?.(node);
  }
  return false;
}

/**
 * @param {ConditionType | undefined} type
 * @param {Node} node
 * @param {Facts} facts
 */
function canEvaluate(type, node, facts) {
  if (!type) return false;
  if ("test" in type) return type.canTest(node);
  if (type.unit === "weight" && !GRAMS_PER_UNIT.has(facts.weightUnit)) return false;
  return isOperation(operationOf(node)) && isDecimal(limitTextOf(node));
}

/**
 * Every node's verdict by id. One pass is enough, because nodes come after those that they depend on.
 *
 * @param {readonly Node[]} nodes
 * @param {readonly Line[]} lines
 * @param {Facts} facts
 */
function judge(nodes, lines, facts) {
  /** @type {Verdicts} */
  const verdicts = new Map();
  for (const node of nodes) verdicts.set(node.id, verdictOf(node, verdicts, lines, facts));
  return verdicts;
}

/**
 * @param {Node} node
 * @param {Verdicts} verdicts
 * @param {readonly Line[]} lines
 * @param {Facts} facts
 * @returns {Verdict}
 */
function verdictOf(node, verdicts, lines, facts) {
  switch (node.kind) {
    case "condition":
      return { holds: conditionHolds(node, lines, facts), decidedBy: [node.id] };
    case "group":
      return groupVerdict(
        node.mode,
        childrenOf(node).map((child) => verdictIn(verdicts, child)),
      );
    case "action":
      return node.when == null ? ALWAYS : verdictIn(verdicts, node.when);
  }
  throw new TypeError(`There is no node of the kind ${node.kind}.`); // `canRun` lets none through
}

/**
 * The verdict on a node. It is already known, because nodes come after those that they depend on.
 *
 * @param {Verdicts} verdicts
 * @param {string} id
 */
function verdictIn(verdicts, id) {
  return verdicts.get(id) ?? ALWAYS;
}

/**
 * all: every child is true; any: at least one is; none: no child is. The deciding conditions are those of the deciding children.
 *
 * @param {string} mode
 * @param {readonly Verdict[]} children
 * @returns {Verdict}
 */
function groupVerdict(mode, children) {
  // One child with this verdict settles the group.
  const decisive = mode !== "all";
  const settling = children.filter((child) => child.holds === decisive);
  const settled = settling.length > 0;
  const deciders = (settled ? settling : children).flatMap((child) => child.decidedBy);
  return { holds: mode === "any" ? settled : !settled, decidedBy: [...new Set(deciders)] };
}

/**
 * @param {Node} node
 * @param {readonly Line[]} lines
 * @param {Facts} facts
 */
function conditionHolds(node, lines, facts) {
  const type = /** @type {ConditionType} */ (CONDITION_TYPES.get(node.type)); // as `canRun` found
  if ("test" in type) return type.test(facts, node);
  const scoped = node.sectionId == null ? lines : lines.filter((line) => line.sectionId === node.sectionId);
  return holds(type.measure(scoped, node), operationOf(node), limitOf(type, node, facts));
}

/**
 * The limit in the unit of the measure: grams for weights.
 *
 * @param {Quantity} type
 * @param {Node} node
 * @param {Facts} facts
 */
function limitOf(type, node, facts) {
  const value = parse(limitTextOf(node));
  if (type.unit !== "weight") return value;
  return multiply(value, /** @type {Decimal} */ (GRAMS_PER_UNIT.get(facts.weightUnit))); // as `canRun` found
}

/** @param {Node} node */
function operationOf(node) {
  return node.operation ?? "gte";
}

/** @param {Node} node */
function limitTextOf(node) {
  return node.value ?? "1";
}
