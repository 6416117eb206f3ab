/** Links that fill a cart and open the checkout. */

import { planOf } from "./lines.js";

/** @type {typeof import("./cart.js").toCheckoutLink} */
export function toCheckoutLink(shop, configured) {
  const { cart, variant_id: variant } = configured.result;
  return cart || planOf(configured) ? null : new URL(`/cart/${variant}:1`, shop).href;
}
