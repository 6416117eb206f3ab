/** The test of a condition, as a sentence with blanks. */

import { el, iconButton } from "../dom.js";
import { freeId, withoutNode } from "../model/condition-nodes.js";
import { TEST_TYPES, isKnownTest, sentenceOf, subjectOf, testOfType } from "../model/condition-types.js";
import { say, sayOf } from "../words/words.js";
import { offeredIds, sectionChoices, sectionId } from "./editing.js";
import { numberField, selectField, sentence, textField } from "./fields.js";

/** @import { Node } from "../types.js" */
/** @import { Key } from "../words/words.js" */
/** @import { Editing } from "./editing.js" */

const OPERATIONS = ["gte", "lte", "eq", "gt", "lt"];

/** @param {readonly Node[]} nodes @returns {Node} */
export function newCondition(nodes) {
  return { id: freeId(nodes, "if"), kind: "condition", type: "total-products", operation: "gte", value: "3" };
}

/**
 * @param {Editing} editing
 * @param {Node} test
 * @param {Node} [group] the group that it can be taken out of
 */
export function conditionRow(editing, test, group) {
  const { doc } = editing;
  const nodes = doc.now.conditions ?? [];
  const place = nodes.indexOf(test);
  const path = ["conditions", place];
  const remove = () => doc.update(["conditions"], (now) => withoutNode(now, test.id, group?.id));
  const type = test.type ?? "";
  return el(
    "li.sentence-row",
    { "data-path": path.join(".") },
    test.kind === "condition" && isKnownTest(type)
      ? sentence(say(/** @type {Key} */ (sentenceOf(type))), blanksOf(editing, test, path))
      : el("span.soft", { text: say("only-in-file", { id: test.id }) }),
    group &&
      iconButton("close", say("remove", { name: sayOf("test", type) }), remove, {
        id: `remove-node-${place}`,
      }),
  );
}

/** @param {Editing} editing @param {Node} test @param {(string | number)[]} path */
function blanksOf({ doc, catalogue }, test, path) {
  const bare = (/** @type {string} */ key, /** @type {any} */ label) => ({
    path: [...path, key],
    label: say(label),
    isBare: true,
  });
  const products = offeredIds(doc.now);
  const variants = products.flatMap((id) =>
    (catalogue.get(id)?.variants ?? []).map(
      ({ platformVariantId, title }) =>
        /** @type {[string, string]} */ ([platformVariantId, [catalogue.title(id), title].filter(Boolean).join(" · ")]),
    ),
  );
  const first = { productId: String(products[0] ?? ""), variantId: variants[0]?.[0] ?? "" };
  return {
    type: selectField(doc, {
      ...bare("type", "test-type"),
      choices: TEST_TYPES.map((each) => [each, sayOf("test", each)]),
      choose: (type) => doc.update(path, (now) => testOfType(now, type, first)),
    }),
    operation: selectField(doc, {
      ...bare("operation", "rule-operation"),
      initial: "gte",
      choices: OPERATIONS.map((each) => [each, sayOf("rule-operation", each)]),
    }),
    value: numberField(doc, bare("value", "rule-value")),
    country: textField(doc, { ...bare("value", "country"), placeholder: "DE" }),
    section: selectField(doc, {
      ...bare("sectionId", "rule-section"),
      choices: sectionChoices(doc.now, say("whole-bundle")),
      choose: (value) => doc.set([...path, "sectionId"], sectionId(value)),
    }),
    thing:
      subjectOf(test.type ?? "") === "productId"
        ? selectField(doc, {
            ...bare("productId", "product"),
            choices: products.map((id) => [String(id), catalogue.title(id)]),
          })
        : selectField(doc, { ...bare("variantId", "variant"), choices: variants }),
  };
}
