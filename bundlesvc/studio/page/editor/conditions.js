/** Conditions as sentences: if something is chosen, then something happens. Each card stands for the actions of one condition. */

import { el, icon, iconButton } from "../dom.js";
import { say, sayOf } from "../words/words.js";
import { actionRow, newAction } from "./condition-actions.js";
import { conditionRow, newCondition } from "./condition-tests.js";
import { turnOnFirst } from "./features.js";

/** @import { Child } from "../dom.js" */
/** @import { Node } from "../types.js" */
/** @import { Editing } from "./editing.js" */

const MODES = ["all", "any", "none"];

/** @typedef {{ when: string | undefined, actions: Node[] }} Card */

/** @param {Editing} editing @returns {Child[]} */
export function conditions(editing) {
  const { doc } = editing;
  const cards = cardsOf(doc.now.conditions ?? []);
  return turnOnFirst(editing, "conditions", () => [
    el("ol.cards", {}, ...cards.map((card, place) => cardView(editing, card, place))),
    el(
      "button.quiet",
      { type: "button", id: "add-condition", click: () => addCard(editing) },
      icon("add"),
      say("add-condition"),
    ),
  ]);
}

/** The actions by the condition that they depend on, in the order of the first of each. @param {readonly Node[]} nodes @returns {Card[]} */
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

/** @param {Editing} editing */
function addCard({ doc }) {
  const nodes = doc.now.conditions ?? [];
  const test = newCondition(nodes);
  const action = newAction([...nodes, test], test.id);
  doc.set(["conditions"], [...nodes, test, action]);
  document.getElementById(`f-conditions-${nodes.length}-value`)?.focus();
}

/**
 * @param {Editing} editing
 * @param {Card} card
 * @param {number} place
 */
function cardView(editing, card, place) {
  const { doc } = editing;
  const name = say("condition-name", { number: place + 1 });
  const remove = () => doc.update(["conditions"], (now) => without(now, card));
  const addAction = () => doc.update(["conditions"], (now) => [...now, newAction(now, card.when)]);
  return el(
    "li.section-card",
    {},
    el(
      "div.section-head",
      {},
      el("strong", { text: say("if") }),
      iconButton("trash", say("remove", { name }), remove, { id: `remove-condition-${place}` }),
    ),
    ...testsOf(editing, card, place),
    el("strong", { text: say("so-then") }),
    el("ol.sentences", {}, ...card.actions.map((action) => actionRow(editing, action, card.actions.length > 1))),
    el(
      "button.quiet.small",
      { type: "button", id: `add-action-${place}`, click: addAction },
      icon("add"),
      say("add-action"),
    ),
  );
}

/** @param {Editing} editing @param {Card} card @param {number} place @returns {Child[]} */
function testsOf(editing, card, place) {
  const { doc } = editing;
  const nodes = doc.now.conditions ?? [];
  const top = nodes.find(({ id }) => id === card.when);
  if (!top) return [el("p.soft", { text: say("always") })];
  const tests = top.kind === "group" ? (top.children ?? []).map((id) => nodes.find((node) => node.id === id)) : [top];
  const add = () => doc.update(["conditions"], (now) => withTest(now, top.id));
  const mode =
    top.kind === "group" &&
    el(
      "select",
      {
        id: `condition-mode-${place}`,
        "aria-label": say("mode"),
        change: (/** @type {Event} */ event) => {
          const { value } = /** @type {HTMLSelectElement} */ (event.target);
          doc.set(["conditions", nodes.indexOf(top), "mode"], value);
        },
      },
      ...MODES.map((each) => el("option", { value: each, text: sayOf("mode", each), selected: each === top.mode })),
    );
  return [
    mode,
    el(
      "ol.sentences",
      {},
      ...tests.map((test) => test && conditionRow(editing, test, tests.length > 1 ? top : undefined)),
    ),
    el("button.quiet.small", { type: "button", id: `add-test-${place}`, click: add }, icon("add"), say("add-test")),
  ];
}

/** The nodes with one more test beside those of a condition. @param {readonly Node[]} nodes @param {string} id @returns {Node[]} */
function withTest(nodes, id) {
  const test = newCondition(nodes);
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

/** The nodes without a card, and without what only that card used. @param {readonly Node[]} nodes @param {Card} card */
function without(nodes, card) {
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

/** The nodes without an action or a test. A group of one is that one. @param {readonly Node[]} nodes @param {string} gone @param {string} [groupId] @returns {Node[]} */
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
