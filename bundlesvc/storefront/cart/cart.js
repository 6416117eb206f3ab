/** Adapters for the platform's carts (docs/client.md). Types and documentation are in cart.d.ts. */

export { CartDataError } from "../client/cart.js";
export { moveInAjaxCart, removeFromAjaxCart, toAjaxCart } from "./ajax.js";
export { toCheckoutLink } from "./checkout-link.js";
export { moveInStorefrontCart, removeFromStorefrontCart, toStorefrontCart } from "./storefront.js";
