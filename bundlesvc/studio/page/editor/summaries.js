/** Short summaries of the panels of the editor. */

import { cardsOf } from "../model/condition-nodes.js";
import { isTiered } from "../model/discounts.js";
import { money, percent } from "../model/money.js";
import { counted, say, sayOf } from "../words/words.js";
import { testOf } from "./arms.js";
import { offeredIds, sectionsOf } from "./editing.js";
import { missingTexts } from "./translations.js";

/** @import { Editing } from "./editing.js" */

/** @type {Readonly<Record<string, (editing: Editing) => string>>} */
const SUMMARIES = {
  basics: ({ doc }) => (doc.now.published === false ? say("hidden") : ""),
  sections: ({ doc }) =>
    `${counted(sectionsOf(doc.now).length, "section")}, ${counted(offeredIds(doc.now).length, "product")}`,
  discount: ({ doc, workspace }) => {
    const now = doc.now.discount;
    if (!now) return say("none");
    if (isTiered(now)) return counted(now.tiers?.length ?? 0, "tier");
    const value = now.value ?? "0";
    return now.type === "percentage" ? percent(value) : money(value, workspace.currency);
  },
  rules: ({ doc }) => some(doc.now.limitRules?.length, "rule"),
  required: ({ doc }) => some(doc.now.requiredProducts?.length, "product"),
  conditions: ({ doc }) => some(cardsOf(doc.now.conditions ?? []).length, "condition"),
  subscription: ({ doc }) => {
    const plans = (doc.now.subscription?.groups ?? []).flatMap(({ options = [] }) => options).length;
    return doc.now.subscription?.mode === "disabled" ? say("none") : some(plans, "plan");
  },
  personalisation: ({ doc }) => some(Object.values(doc.now.personalisation ?? {}).flat().length, "field"),
  arms: ({ doc, workspace }) => some(testOf(workspace, doc.id)?.arms?.length, "arm"),
  translations: (editing) => {
    const missing = missingTexts(editing);
    if (missing) return say("missing", { things: counted(missing, "text") });
    return Object.keys(editing.doc.now.translations ?? {}).length ? say("complete") : say("none");
  },
};

/** @param {string} panel @param {Editing} editing */
export function summaryOf(panel, editing) {
  return SUMMARIES[panel]?.(editing) ?? sayOf("panel", panel);
}

/** @param {number | undefined} number @param {Parameters<typeof counted>[1]} thing */
function some(number, thing) {
  return number ? counted(number, thing) : say("none");
}
