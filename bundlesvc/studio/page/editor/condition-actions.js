/** The action of a condition, as a sentence with blanks. */

import { el, iconButton } from "../dom.js";
import { freeId, withoutNode } from "../model/condition-nodes.js";
import { ACTIONS, actionOfType } from "../model/condition-types.js";
import { pickProducts } from "../picker.js";
import { say, sayOf } from "../words/words.js";
import { offeredIds, sectionChoices } from "./editing.js";
import { numberField, selectField, sentence, textField } from "./fields.js";

/** @import { Node } from "../types.js" */
/** @import { Key } from "../words/words.js" */
/** @import { Editing } from "./editing.js" */

/** @param {readonly Node[]} nodes @param {string | undefined} when @returns {Node} */
export function newAction(nodes, when) {
  const action = { id: freeId(nodes, "then"), kind: "action", type: "message", text: "" };
  return when === undefined ? action : { ...action, when };
}

/**
 * @param {Editing} editing
 * @param {Node} action
 * @param {boolean} canGo
 */
export function actionRow(editing, action, canGo) {
  const { doc } = editing;
  const nodes = doc.now.conditions ?? [];
  const place = nodes.indexOf(action);
  const path = ["conditions", place];
  const type = action.type ?? "";
  const remove = () => doc.update(["conditions"], (now) => withoutNode(now, action.id));
  return el(
    "li.sentence-row",
    { "data-path": path.join(".") },
    ACTIONS.includes(type)
      ? sentence(say(/** @type {Key} */ (`action-sentence-${type}`)), blanksOf(editing, action, path))
      : el("span.soft", { text: say("only-in-file", { id: action.id }) }),
    canGo &&
      iconButton("close", say("remove", { name: sayOf("action", type) }), remove, { id: `remove-node-${place}` }),
  );
}

/** @param {Editing} editing @param {Node} action @param {(string | number)[]} path */
function blanksOf(editing, action, path) {
  const { doc, catalogue, workspace } = editing;
  const bare = (/** @type {string} */ key, /** @type {Key} */ label) => ({
    path: [...path, key],
    label: say(label),
    isBare: true,
  });
  const currency = workspace.currency;
  const first = { product: String(offeredIds(doc.now)[0] ?? ""), section: doc.now.sections?.[0]?.id ?? 1 };
  const type = selectField(doc, {
    ...bare("type", "action-type"),
    choices: ACTIONS.map((each) => [each, sayOf("action", each)]),
    choose: (value) => doc.update(path, (now) => actionOfType(now, value, first)),
  });
  switch (action.type) {
    case "discount":
      return {
        type,
        value: numberField(doc, {
          ...bare("discount-value", "tier-discount"),
          path: [...path, "discount", "value"],
          isAmount: true,
        }),
        kind: selectField(doc, {
          ...bare("discount-type", "discount-kind"),
          path: [...path, "discount", "type"],
          choices: [
            ["percentage", "%"],
            ["fixed", say("off-in", { currency })],
            ["price", say("price-in", { currency })],
          ],
        }),
      };
    case "free-item":
      return {
        type,
        count: numberField(doc, { ...bare("quantity", "quantity"), isWhole: true, min: 1 }),
        gift: giftButton(editing, action, path),
      };
    case "hide-product":
      return {
        type,
        product: selectField(doc, {
          ...bare("productId", "product"),
          choices: offeredIds(doc.now).map((id) => [String(id), catalogue.title(id)]),
        }),
      };
    case "hide-section":
    case "goto-section":
      return {
        type,
        section: selectField(doc, {
          ...bare("sectionId", "section"),
          choices: sectionChoices(doc.now, "").slice(1),
          read: Number,
        }),
      };
    case "message":
    case "block-cart":
      return { type, text: textField(doc, bare("text", "text-for-shoppers")) };
    default:
      throw new TypeError(`The editor has no blanks for the action ${action.type}.`);
  }
}

/** The free product, and a button to replace it. @param {Editing} editing @param {Node} action @param {(string | number)[]} path */
function giftButton({ doc, catalogue, workspace }, action, path) {
  const given = workspace.content.products.find(({ variants = [] }) =>
    variants.some(({ id }) => String(id) === String(action.variantId)),
  );
  const offered = offeredIds(doc.now).find((id) =>
    catalogue.get(id)?.variants.some(({ platformVariantId }) => platformVariantId === String(action.variantId)),
  );
  const name = given?.title ?? (offered ? catalogue.title(offered) : say("choose"));
  const choose = async () => {
    const [product] = await pickProducts(workspace, catalogue, { isSingle: true });
    const variant = product?.variants[0];
    if (variant) doc.set([...path, "variantId"], variant.platformVariantId);
  };
  return el("button.quiet.small", { type: "button", id: `gift-${path.join("-")}`, text: name, click: choose });
}
