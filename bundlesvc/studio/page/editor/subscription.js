/** The subscriptions that a bundle offers. */

import { el, icon, iconButton } from "../dom.js";
import { say, sayOf } from "../words/words.js";
import { nextNumber } from "./editing.js";
import { turnOnFirst } from "./features.js";
import { numberField, selectField, sentence, textField } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { PlanGroup } from "../types.js" */
/** @import { Editing } from "./editing.js" */

/** @type {PlanGroup[]} */
const FIRST = [{ id: 1, name: "", options: [{ frequency: 1, unit: "month", discount: "5.00" }] }];
const UNITS = ["day", "week", "month", "year"];

/** @param {Editing} editing @returns {Child[]} */
export function subscription(editing) {
  const { doc } = editing;
  const groups = doc.now.subscription?.groups ?? [];
  const mode = doc.now.subscription?.mode ?? (groups.length ? "optional" : "disabled");
  const add = () => {
    const group = { id: nextNumber(groups.map(({ id }) => id)), name: "", options: [{ frequency: 1, unit: "month" }] };
    doc.update(["subscription", "groups"], (now = []) => [...now, group]);
  };
  const choose = (/** @type {string} */ value) =>
    doc.update(["subscription"], (now) => {
      if (now?.groups?.length) return { ...now, mode: value };
      return value === "disabled" ? undefined : { mode: value, groups: FIRST };
    });
  return turnOnFirst(editing, "subscriptions", () => [
    selectField(doc, {
      path: ["subscription", "mode"],
      label: say("subscription-mode"),
      hint: say("subscription-mode-hint"),
      initial: mode,
      choices: ["disabled", "optional", "required"].map((each) => [each, sayOf("subscription", each)]),
      choose,
    }),
    ...(mode === "disabled" ? [] : groups.map((group, place) => groupCard(editing, group, place))),
    mode !== "disabled" &&
      el("button.quiet", { type: "button", id: "add-group", click: add }, icon("add"), say("add-group")),
  ]);
}

/**
 * @param {Editing} editing
 * @param {PlanGroup} group
 * @param {number} place
 */
function groupCard({ doc }, { name, options = [] }, place) {
  const path = ["subscription", "groups", place];
  const add = () =>
    doc.update([...path, "options"], (now = []) => [...now, { frequency: now.length + 1, unit: "month" }]);
  const rows = options.map((_, item) => {
    const own = [...path, "options", item];
    const bare = (/** @type {string} */ key, /** @type {any} */ label) => ({
      path: [...own, key],
      label: say(label),
      isBare: true,
    });
    const blanks = {
      frequency: numberField(doc, { ...bare("frequency", "every"), isWhole: true, min: 1 }),
      unit: selectField(doc, { ...bare("unit", "unit"), choices: UNITS.map((each) => [each, sayOf("unit", each)]) }),
      discount: numberField(doc, { ...bare("discount", "save"), isAmount: true, isOptional: true, max: 100 }),
    };
    return el(
      "li.sentence-row",
      { "data-path": own.join(".") },
      sentence(say("plan-sentence"), blanks),
      iconButton(
        "close",
        say("remove", { name: say("plan-name", { number: item + 1 }) }),
        () => doc.set(own, undefined),
        {
          id: `remove-plan-${place}-${item}`,
        },
      ),
    );
  });
  return el(
    "div.section-card",
    { "data-path": path.join(".") },
    el(
      "div.section-head",
      {},
      el("span.soft", { text: say("group-number", { number: place + 1 }) }),
      iconButton(
        "trash",
        say("remove", { name: name || say("group-number", { number: place + 1 }) }),
        () => doc.set(path, undefined),
        {
          id: `remove-group-${place}`,
        },
      ),
    ),
    textField(doc, { path: [...path, "name"], label: say("group-name"), hint: say("group-name-hint") }),
    el("ol.sentences", {}, ...rows),
    el("button.quiet.small", { type: "button", id: `add-plan-${place}`, click: add }, icon("add"), say("add-plan")),
  );
}
