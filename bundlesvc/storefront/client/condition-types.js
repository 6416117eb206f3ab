/**
 * The types of conditions and actions, one row each. The service has the same types in
 * `domain/conditions/condition_types.py` and `domain/conditions/action_types.py`.
 */

import { bareId, totalCount, totalGrams, totalPrice } from "./selection-lines.js";

/** @import { ConditionType, Node, Quantity } from "./internal.js" */

const always = () => true;

/**
 * The units of the product or variant that a node names.
 *
 * @param {"productId" | "variantId"} key
 * @returns {Quantity}
 */
const unitsOfOne = (key) => ({
  unit: "items",
  of: key,
  measure: (lines, node) => totalCount(lines.filter((one) => one[key] === bareId(node[key]))),
});

/** @type {ReadonlyMap<string, ConditionType>} */
export const CONDITION_TYPES = new Map(
  /** @type {[string, ConditionType][]} */ ([
    ["total-products", { unit: "items", measure: totalCount }],
    ["total-price", { unit: "money", measure: totalPrice }],
    ["total-weight", { unit: "weight", measure: totalGrams }],
    ["product-quantity", unitsOfOne("productId")],
    ["variant-selected", unitsOfOne("variantId")],
    ["section-quantity", { unit: "items", measure: totalCount }],
    [
      "country",
      {
        canTest: ({ value, operation }) => typeof value === "string" && (operation ?? "eq") === "eq",
        test: (facts, node) => facts.country?.toUpperCase() === node.value.toUpperCase(),
      },
    ],
    ["subscription-chosen", { canTest: always, test: (facts) => facts.subscribed === true }],
  ]),
);

/**
 * For each type of action, a function that returns whether this version understands a node of that type.
 *
 * @type {ReadonlyMap<string, (node: Node) => boolean>}
 */
export const ACTION_TYPES = new Map([
  ["discount", ({ discount }) => ["percentage", "fixed", "price"].includes(discount?.type)],
  ["free-item", ({ quantity }) => quantity == null || (Number.isSafeInteger(quantity) && quantity > 0)],
  ["message", always],
  ["hide-section", always],
  ["hide-product", always],
  ["goto-section", always],
  ["block-cart", always],
]);
