/** Conditions as sentences: if something is chosen, then something happens. Each card contains the actions of one condition. */

import { el, icon, iconButton } from "../dom.js";
import { cardsOf, withTest, withoutCard } from "../model/condition-nodes.js";
import { say, sayOf } from "../words/words.js";
import { actionRow, newAction } from "./condition-actions.js";
import { conditionRow, newCondition } from "./condition-tests.js";
import { turnOnFirst } from "./features.js";

/** @import { Child } from "../dom.js" */
/** @import { Card } from "../model/condition-nodes.js" */
/** @import { Editing } from "./editing.js" */

const MODES = ["all", "any", "none"];

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
  const remove = () => doc.update(["conditions"], (now) => withoutCard(now, card));
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
  const add = () => doc.update(["conditions"], (now) => withTest(now, top.id, newCondition(now)));
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
