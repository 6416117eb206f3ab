/** Adapters for the carts of platforms (docs/client.md). Types and documentation are in cart.d.ts. */

export { CartDataError } from "../client/cart.js";
export { moveInAjaxCart, removeFromAjaxCart, toAjaxCart } from "./ajax.js";
export { toCheckoutLink } from "./checkout-link.js";
export { moveInStorefrontCart, removeFromStorefrontCart, toStorefrontCart } from "./storefront.js";
export { removeFromVendureOrder, toVendureOrder } from "./vendure.js";
