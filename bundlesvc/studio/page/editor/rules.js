/** Limit rules for a selection, as sentences with blanks. */

import { RULE_TYPES, ruleType } from "../../../storefront/client/rule-types.js";
import { el, icon, iconButton } from "../dom.js";
import { say, sayOf } from "../words/words.js";
import { sectionChoices, sectionId } from "./editing.js";
import { numberField, selectField, sentence } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { LimitRule } from "../types.js" */
/** @import { Editing } from "./editing.js" */

const OPERATIONS = ["gte", "lte", "eq", "gt", "lt"];
/** The rule types, ordered by unit: first those that count items. */
export const TYPES = [...RULE_TYPES.keys()].sort((one, other) =>
  ruleType(one).unit.localeCompare(ruleType(other).unit),
);

/** @param {Editing} editing @returns {Child[]} */
export function rules(editing) {
  const { doc } = editing;
  const all = doc.now.limitRules ?? [];
  const add = () => {
    const rule = {
      type: "total-number-of-products",
      operation: all.length ? "lte" : "gte",
      value: all.length ? "12" : "2",
    };
    doc.update(["limitRules"], (now = []) => [...now, rule]);
    document.getElementById(`f-limitRules-${all.length}-value`)?.focus();
  };
  return [
    el("ol.sentences", {}, ...all.map((rule, place) => ruleRow(editing, rule, place))),
    el("button.quiet", { type: "button", id: "add-rule", click: add }, icon("add"), say("add-rule")),
  ];
}

/**
 * @param {Editing} editing
 * @param {LimitRule} rule
 * @param {number} place
 */
function ruleRow(editing, rule, place) {
  const { doc } = editing;
  const path = ["limitRules", place];
  const number = place + 1;
  const bare = (/** @type {string} */ key, /** @type {any} */ label) => ({
    path: [...path, key],
    label: say("rule-number", { number, label: say(label) }),
    isBare: true,
  });
  const blanks = {
    operation: selectField(doc, {
      ...bare("operation", "rule-operation"),
      initial: "eq",
      choices: OPERATIONS.map((each) => [each, sayOf("rule-operation", each)]),
    }),
    value: numberField(doc, bare("value", "rule-value")),
    type: selectField(doc, {
      ...bare("type", "rule-type"),
      choices: TYPES.map((each) => [each, unitText(each, editing)]),
    }),
    section: selectField(doc, {
      ...bare("sectionId", "rule-section"),
      choices: sectionChoices(doc.now, say("whole-bundle")),
      choose: (value) => doc.set([...path, "sectionId"], sectionId(value)),
    }),
  };
  return el(
    "li.sentence-row",
    { "data-path": path.join(".") },
    sentence(say(ruleType(rule.type).isMultiple ? "rule-multiple" : "rule"), blanks),
    iconButton("trash", say("remove", { name: say("rule-name", { number }) }), () => doc.set(path, undefined), {
      id: `remove-rule-${place}`,
    }),
  );
}

/** The text for what a rule measures, with the shop's currency. @param {string} type @param {Editing} editing */
function unitText(type, { workspace }) {
  return sayOf("rule", type).replace("{currency}", workspace.currency);
}
