/** Adapter for carts of the Storefront API, and of libraries that use its inputs. */

import { removeBundle } from "../client/cart.js";
import { attributesWith, linesOf } from "./lines.js";

/** @import { StorefrontCart } from "./cart.js" */

/** @type {typeof import("./cart.js").toStorefrontCart} */
export function toStorefrontCart(cart, configured) {
  const lines = linesOf(configured).map(({ id, quantity, properties, plan }) => ({
    merchandiseId: gid("ProductVariant", id),
    quantity,
    attributes: toList(properties),
    ...(plan && { sellingPlanId: gid("SellingPlan", plan) }),
  }));
  return { lines, attributes: toList(attributesWith(toRecord(cart), configured)) };
}

/** @type {typeof import("./cart.js").moveInStorefrontCart} */
export function moveInStorefrontCart(cart, moved) {
  const { lineIds, attributes } = removeFromStorefrontCart(cart, moved.configuredBundleId);
  return { lineIds, ...toStorefrontCart({ attributes }, moved) };
}

/** @type {typeof import("./cart.js").removeFromStorefrontCart} */
export function removeFromStorefrontCart(cart, configuredBundleId) {
  const { lines = [] } = cart;
  const list = "length" in lines ? lines : (lines.nodes ?? []);
  const items = list.map((line) => ({ id: line?.id, properties: toRecord(line) }));
  const after = removeBundle({ items, attributes: toRecord(cart) }, configuredBundleId);
  const removed = items.filter((item) => !after.items.includes(item));
  return { lineIds: removed.flatMap(({ id }) => id ?? []), attributes: toList(after.attributes) };
}

/**
 * @param {string} kind
 * @param {string | number} id
 */
function gid(kind, id) {
  return `gid://shopify/${kind}/${id}`;
}

/** @param {Readonly<Record<string, string>>} attributes */
function toList(attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value }));
}

/**
 * @param {Pick<StorefrontCart, "attributes"> | null | undefined} owner
 * @returns {Record<string, string>}
 */
function toRecord(owner) {
  const entries = (owner?.attributes ?? []).flatMap((one) => (one?.key ? [[one.key, one.value ?? ""]] : []));
  return Object.fromEntries(entries);
}
