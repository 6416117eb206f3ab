/** The fee for a personalisation: a separate product in the cart, charged at full price. */

import { el, icon, iconButton } from "../dom.js";
import { picture, pickProducts } from "../picker.js";
import { say } from "../words/words.js";
import { numberField } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { Field } from "../types.js" */
/** @import { Editing } from "./editing.js" */

/**
 * The fee of a field, or a button to add one. Only native bundles have fees.
 *
 * @param {Editing} editing
 * @param {(string | number)[]} path of the field
 * @param {Field} own
 * @returns {Child}
 */
export function feePart(editing, path, own) {
  if (own.fee) return feeRow(editing, [...path, "fee"], own.fee);
  if (editing.doc.now.type !== "native") return null;
  return el(
    "button.quiet.small",
    { type: "button", id: `add-fee-${path.join("-")}`, click: () => addFee(editing, path) },
    icon("add"),
    say("add-fee"),
  );
}

/** @param {Editing} editing @param {(string | number)[]} path @param {import("../types.js").Fee} fee */
function feeRow({ doc, catalogue }, path, fee) {
  const product = catalogue.ofVariant(fee.variantId);
  const name = product?.title ?? `#${fee.variantId}`;
  return el(
    "div.product-row",
    { "data-path": path.join(".") },
    picture(product?.imageUrl),
    el("span.product-name", { text: say("fee-sold-as", { name }) }),
    numberField(doc, {
      path: [...path, "amount"],
      label: say("fee-of", { name }),
      isBare: true,
      isAmount: true,
      unit: fee.currencyCode,
    }),
    iconButton("close", say("remove", { name }), () => doc.set(path, undefined), { id: `remove-${path.join("-")}` }),
  );
}

/** Lets the user choose a product as the fee, at its own price. @param {Editing} editing @param {(string | number)[]} path */
async function addFee({ doc, workspace, catalogue }, path) {
  const [product] = await pickProducts(workspace, catalogue, { isSingle: true });
  const [variant] = product?.variants ?? [];
  if (!variant) return;
  doc.set([...path, "fee"], {
    variantId: Number(variant.platformVariantId),
    amount: variant.price,
    currencyCode: workspace.currency,
  });
}
