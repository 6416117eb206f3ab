/** The data that a page gets for a configured bundle: the detail of `bundle:addtocart`. Run as a program, it prints the inputs. */

import { pathToFileURL } from "node:url";

import { toStorefrontCart } from "../../bundlesvc/storefront/cart/cart.js";

const properties = { _bundle_data: "7#9001#0123456789abcdef0123456789abcdef" };
const result = {
  configured_bundle_id: 7,
  variant_id: "9001",
  product_id: "900",
  discount: "token",
  subscription_id: null,
  pricing: {
    originalPrice: "20.00",
    discountedPrice: "18.00",
    discountType: "percentage",
    discountValue: "10.00",
    currency: "EUR",
  },
  cart: {
    line_items: [
      { id: 11, quantity: 2, properties: { ...properties, Name: "Mira" } },
      { id: 90, quantity: 1, properties: { ...properties, _bundle_fee: "1" } },
    ],
    attributes: { _bundles: '{"7":{"configuredBundleId":7,"discount":"token"}}' },
  },
};
const plan = { groupId: 5, frequency: 1, unit: "month", sellingPlanId: "501" };

export const native = { result, bundle: {}, selection: {} };
export const subscribed = {
  result,
  bundle: { sellingPlans: [{ ...plan, frequency: 2, sellingPlanId: "502" }, plan] },
  selection: { subscription: { id: 5, frequency: 1, unit: "month", email: "mira@mail.example" } },
};
export const single = { result: { ...result, variant_id: "8001", cart: null } };

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const cart = { attributes: [{ key: "note", value: "x" }] };
  process.stdout.write(
    JSON.stringify([native, subscribed, single].map((configured) => toStorefrontCart(cart, configured))),
  );
}
