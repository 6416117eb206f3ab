/**
 * The part of a graph that can be run: what this version does not know is left out, with all that depends on it.
 */

import { canRun, isAction } from "./condition-nodes.js";

/** @typedef {import("./conditions.d.ts").GraphNode} GraphNode */
/** @typedef {import("./conditions.d.ts").Facts} Facts */
/** @typedef {import("./condition-nodes.js").Node} Node */

/**
 * The nodes that can be run, each after those that it depends on.
 *
 * A node is ready once all that it names is; so what depends on a node that cannot be run, on one that does not exist, or
 * on itself, never is.
 *
 * @param {readonly GraphNode[]} written
 * @param {Facts} facts
 * @returns {Node[]}
 */
export function runnableNodes(written, facts) {
  const nodes = distinctNodes(written);
  const dependents = dependentsIn(nodes);
  const missing = new Map(nodes.map((node) => [node, references(node).length]));
  const ready = nodes.filter((node) => missing.get(node) === 0 && canRun(node, facts));
  // `ready` grows while it is walked. Nothing can depend on an action.
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
 * Those of the nodes that are actions, in the order in which the graph lists them.
 *
 * @param {readonly GraphNode[]} written
 * @param {readonly Node[]} nodes
 * @returns {Node[]}
 */
export function actionsInOrder(written, nodes) {
  /** @type {ReadonlySet<unknown>} */
  const actions = new Set(nodes.filter(isAction));
  return [...new Set(written)].filter((node) => actions.has(node));
}

/**
 * The ids under which a node names others as its children.
 *
 * @param {Node} node
 * @returns {unknown[]}
 */
export function childrenOf(node) {
  return [node.children ?? []].flat();
}

/**
 * What a node depends on; in a node of an unknown kind anything may stand under these names.
 *
 * @param {Node} node
 * @returns {unknown[]}
 */
function references(node) {
  return node.when == null ? childrenOf(node) : [...childrenOf(node), node.when];
}

/**
 * The first node of each id.
 *
 * @param {readonly GraphNode[]} written
 * @returns {Node[]}
 */
function distinctNodes(written) {
  /** @type {Map<string, Node>} */
  const byId = new Map();
  for (const node of written) {
    if (typeof node?.id === "string" && !byId.has(node.id)) byId.set(node.id, node);
  }
  return [...byId.values()];
}

/**
 * The nodes that name each id, as often as they name it.
 *
 * @param {readonly Node[]} nodes
 * @returns {Map<unknown, Node[]>}
 */
function dependentsIn(nodes) {
  /** @type {Map<unknown, Node[]>} */
  const dependents = new Map();
  for (const node of nodes) {
    for (const reference of references(node)) {
      const others = dependents.get(reference);
      if (others) others.push(node);
      else dependents.set(reference, [node]);
    }
  }
  return dependents;
}
