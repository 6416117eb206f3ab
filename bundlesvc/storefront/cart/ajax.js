/** The Ajax cart: pages of the online store send these bodies. */

import { mergeBundles, removeBundle } from "../client/cart.js";
import { linesOf } from "./lines.js";

/** @type {typeof import("./cart.js").toAjaxCart} */
export function toAjaxCart(cart, configured) {
  const items = linesOf(configured).map(({ id, quantity, properties, plan }) => ({
    id,
    quantity,
    properties,
    ...(plan && { selling_plan: Number(plan) }),
  }));
  const { _bundles, ...others } = cart?.attributes ?? {};
  const bundles = mergeBundles(text(_bundles), configured.result);
  return { update: { attributes: { ...others, ...(bundles && { _bundles: bundles }) } }, add: { items } };
}

/** @type {typeof import("./cart.js").removeFromAjaxCart} */
export function removeFromAjaxCart(cart, configuredBundleId) {
  const { items, attributes } = removeBundle(cart, configuredBundleId);
  const removed = cart.items.filter((item) => !items.includes(item));
  return { updates: Object.fromEntries(removed.map(({ key }) => [key, 0])), attributes: attributes ?? {} };
}

/** @param {unknown} value */
function text(value) {
  return value == null ? null : String(value);
}
