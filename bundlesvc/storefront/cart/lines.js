/** What a configured bundle adds to a cart: its lines, with the selling plan of its subscription, and its attributes. */

import { cartLines, mergeBundles } from "../client/cart.js";

/** @import { CartLine } from "../client/client.js" */
/** @import { Configured } from "./cart.js" */

/**
 * The lines with their plans. A fee is charged once, so its line has no plan.
 *
 * @param {Configured} configured
 * @returns {readonly (CartLine & { plan: string | undefined })[]}
 */
export function linesOf(configured) {
  const plan = planOf(configured);
  return cartLines(configured.result).map((line) => ({
    ...line,
    plan: "_bundle_fee" in line.properties ? undefined : plan,
  }));
}

/**
 * A cart's attributes, with the entry of a configured bundle added.
 *
 * @template Value
 * @param {Readonly<Record<string, Value>>} attributes
 * @param {Configured} configured
 * @returns {Record<string, Value | string>}
 */
export function attributesWith({ _bundles: written, ...others }, { result }) {
  const bundles = mergeBundles(written == null ? null : String(written), result);
  return { ...others, ...(bundles && { _bundles: bundles }) };
}

/**
 * The id of the platform's selling plan for the chosen option; undefined when no plan is needed.
 *
 * @param {Configured} configured
 */
export function planOf({ bundle, selection }) {
  if (!selection?.subscription) return undefined;
  const { id, frequency, unit } = selection.subscription;
  const found = bundle?.sellingPlans?.find(
    (one) => one.groupId === id && one.frequency === frequency && one.unit === unit,
  );
  if (!found) throw new TypeError("The bundle has no selling plan for this subscription.");
  return found.sellingPlanId || undefined;
}
