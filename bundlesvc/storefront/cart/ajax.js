/** Adapter for the Ajax cart. Pages of the online store send the bodies that the adapter returns. */

import { removeBundle } from "../client/cart.js";
import { attributesWith, linesOf } from "./lines.js";

/** @type {typeof import("./cart.js").toAjaxCart} */
export function toAjaxCart(cart, configured) {
  const items = linesOf(configured).map(({ id, quantity, properties, plan }) => ({
    id,
    quantity,
    properties,
    ...(plan && { selling_plan: Number(plan) }),
  }));
  return { update: { attributes: attributesWith(cart?.attributes ?? {}, configured) }, add: { items } };
}

/** @type {typeof import("./cart.js").moveInAjaxCart} */
export function moveInAjaxCart(cart, moved) {
  const { updates, attributes } = removeFromAjaxCart(cart, moved.configuredBundleId);
  const { update, add } = toAjaxCart({ attributes }, moved);
  return { update: { updates, ...update }, add };
}

/** @type {typeof import("./cart.js").removeFromAjaxCart} */
export function removeFromAjaxCart(cart, configuredBundleId) {
  const { items, attributes } = removeBundle(cart, configuredBundleId);
  const removed = cart.items.filter((item) => !items.includes(item));
  return { updates: Object.fromEntries(removed.map(({ key }) => [key, 0])), attributes: attributes ?? {} };
}
