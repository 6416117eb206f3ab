/** The nodes of a bundle's conditions: tests, groups of tests, and actions. Each action names the test or group that it depends on. */

/** @import { Node } from "../types.js" */

/** @typedef {{ when: string | undefined, actions: Node[] }} Card the actions of one condition */

/**
 * The actions grouped by the condition that they depend on, in the order of each group's first action.
 *
 * @param {readonly Node[]} nodes
 * @returns {Card[]}
 */
export function cardsOf(nodes) {
  /** @type {Map<string | undefined, Card>} */
  const cards = new Map();
  for (const node of nodes) {
    if (node.kind !== "action") continue;
    const card = cards.get(node.when) ?? { when: node.when, actions: [] };
    card.actions.push(node);
    cards.set(node.when, card);
  }
  return [...cards.values()];
}

/**
 * The nodes with one more test in a condition. If the condition was a single test, it becomes a group.
 *
 * @param {readonly Node[]} nodes @param {string} id the condition @param {Node} test @returns {Node[]}
 */
export function withTest(nodes, id, test) {
  const top = nodes.find((node) => node.id === id);
  if (!top) return [...nodes];
  if (top.kind === "group") {
    const grown = { ...top, children: [...(top.children ?? []), test.id] };
    return [...nodes.map((node) => (node === top ? grown : node)), test];
  }
  const group = { id: freeId([...nodes, test], "group"), kind: "group", mode: "all", children: [top.id, test.id] };
  const moved = nodes.map((node) => (node.when === top.id ? { ...node, when: group.id } : node));
  return [...moved, test, group];
}

/** The nodes without a card, and without the nodes that only this card used. @param {readonly Node[]} nodes @param {Card} card */
export function withoutCard(nodes, card) {
  const kept = nodes.filter(({ id }) => !card.actions.some((action) => action.id === id));
  return withoutUnused(kept, card.when);
}

/** @param {readonly Node[]} nodes @param {string | undefined} id @returns {Node[]} */
function withoutUnused(nodes, id) {
  const isUsed = nodes.some(({ when, children = [] }) => when === id || children.includes(String(id)));
  const unused = nodes.find((node) => node.id === id);
  if (isUsed || !unused) return [...nodes];
  const kept = nodes.filter((node) => node !== unused);
  return (unused.children ?? []).reduce((/** @type {Node[]} */ made, child) => withoutUnused(made, child), kept);
}

/** An id that no node has. @param {readonly Node[]} nodes @param {string} beginning */
export function freeId(nodes, beginning) {
  const taken = new Set(nodes.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!taken.has(`${beginning}-${number}`)) return `${beginning}-${number}`;
}

/**
 * The nodes without an action or a test. A group with one remaining test is replaced with that test.
 *
 * @param {readonly Node[]} nodes
 * @param {string} gone
 * @param {string} [groupId]
 * @returns {Node[]}
 */
export function withoutNode(nodes, gone, groupId) {
  const kept = nodes.filter(({ id }) => id !== gone);
  const group = groupId === undefined ? undefined : kept.find(({ id }) => id === groupId);
  if (!group) return kept;
  const children = (group.children ?? []).filter((id) => id !== gone);
  if (children.length !== 1) return kept.map((node) => (node === group ? { ...group, children } : node));
  const [only] = children;
  return kept
    .filter((node) => node !== group)
    .map((node) => (node.when === group.id ? { ...node, when: String(only) } : node));
}
