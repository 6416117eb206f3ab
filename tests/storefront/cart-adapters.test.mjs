/** The data that the adapters return for the platform's carts. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  CartDataError,
  removeFromAjaxCart,
  removeFromStorefrontCart,
  removeFromVendureOrder,
  toAjaxCart,
  toCheckoutLink,
  toStorefrontCart,
  toVendureOrder,
} from "../../bundlesvc/storefront/cart/cart.js";
import { native, single, subscribed } from "./configured-bundles.mjs";

const MARK = "7#9001#0123456789abcdef0123456789abcdef";
const FEE = { _bundle_data: MARK, _bundle_fee: "1" };
const ENTRY = '{"7":{"configuredBundleId":7,"discount":"token"}}';
const BOTH = '{"3":{"discount":"other"},"7":{"configuredBundleId":7,"discount":"token"}}';

const pairs = (attributes) => attributes.map(({ key, value }) => [key, value]);

test("Ajax cart: lines, and the cart's attributes with the entry added", () => {
  const cart = { attributes: { note: "x", _bundles: '{"3":{"discount":"other"}}' } };
  const { update, add } = toAjaxCart(cart, native);
  assert.deepEqual(update, { attributes: { note: "x", _bundles: BOTH } });
  assert.deepEqual(add.items, [
    { id: 11, quantity: 2, properties: { _bundle_data: MARK, Name: "Mira" } },
    { id: 90, quantity: 1, properties: FEE },
  ]);
});

test("Ajax cart: every line but fees has the selling plan", () => {
  const plans = toAjaxCart(null, subscribed).add.items.map((line) => line.selling_plan);
  assert.deepEqual(plans, [501, undefined]);
});

test("Storefront API: global ids, lists of attributes, and the cart's attributes with the entry added", () => {
  const cart = {
    attributes: [
      { key: "note", value: "x" },
      { key: "_bundles", value: '{"3":{"discount":"other"}}' },
    ],
  };
  const { lines, attributes } = toStorefrontCart(cart, native);
  assert.deepEqual(pairs(attributes), [
    ["note", "x"],
    ["_bundles", BOTH],
  ]);
  assert.deepEqual(lines[0], {
    merchandiseId: "gid://shopify/ProductVariant/11",
    quantity: 2,
    attributes: [
      { key: "_bundle_data", value: MARK },
      { key: "Name", value: "Mira" },
    ],
  });
});

test("Storefront API: every line but fees has the selling plan", () => {
  const plans = toStorefrontCart(null, subscribed).lines.map((line) => line.sellingPlanId);
  assert.deepEqual(plans, ["gid://shopify/SellingPlan/501", undefined]);
});

for (const cart of [null, {}, { attributes: null }, { attributes: [null, { key: "_bundles", value: null }] }]) {
  test(`Storefront API: the first bundle of ${JSON.stringify(cart)}`, () => {
    assert.deepEqual(pairs(toStorefrontCart(cart, native).attributes), [["_bundles", ENTRY]]);
  });
}

test("a bundle of one variant leaves the attributes as they are", () => {
  assert.deepEqual(toAjaxCart({ attributes: { note: "x" } }, single).update.attributes, { note: "x" });
  const { lines, attributes } = toStorefrontCart({ attributes: [{ key: "note", value: "" }] }, single);
  assert.deepEqual(attributes, [{ key: "note", value: "" }]);
  assert.deepEqual(lines, [{ merchandiseId: "gid://shopify/ProductVariant/8001", quantity: 1, attributes: [] }]);
});

test("an unreadable attribute is not discarded", () => {
  assert.throws(() => toAjaxCart({ attributes: { _bundles: "{" } }, native), CartDataError);
  assert.throws(() => toStorefrontCart({ attributes: [{ key: "_bundles", value: "{" }] }, native), CartDataError);
});

test("a subscription without a selling plan is refused, unless the platform has no plans", () => {
  const { groupId, ...plan } = subscribed.bundle.sellingPlans[1];
  const unknown = { ...subscribed, bundle: { sellingPlans: [{ ...plan, groupId: groupId + 1 }] } };
  const embedded = { ...subscribed, bundle: { sellingPlans: [{ ...plan, groupId, sellingPlanId: "" }] } };
  assert.throws(() => toAjaxCart(null, unknown), { name: "TypeError", message: /no selling plan/ });
  assert.throws(() => toStorefrontCart(null, { ...subscribed, bundle: undefined }), TypeError);
  assert.equal("sellingPlanId" in toStorefrontCart(null, embedded).lines[0], false);
});

test("only a bundle's lines and entry are removed", () => {
  const items = [
    { key: "a", properties: { _bundle_data: MARK } },
    { key: "b", properties: { _bundle_data: "77#1#x" } },
    { key: "c" },
  ];
  assert.deepEqual(removeFromAjaxCart({ items, attributes: { note: "x", _bundles: BOTH } }, 7), {
    updates: { a: 0 },
    attributes: { note: "x", _bundles: '{"3":{"discount":"other"}}' },
  });
  const attributes = [
    { key: "note", value: "x" },
    { key: "_bundles", value: BOTH },
  ];
  const lines = [{ id: "a", attributes: [{ key: "_bundle_data", value: MARK }] }, null, { id: "b", attributes: [] }];
  for (const cart of [
    { lines, attributes },
    { lines: { nodes: lines }, attributes },
  ]) {
    const { lineIds, attributes: left } = removeFromStorefrontCart(cart, 7);
    assert.deepEqual(
      [lineIds, pairs(left)],
      [
        ["a"],
        [
          ["note", "x"],
          ["_bundles", '{"3":{"discount":"other"}}'],
        ],
      ],
    );
  }
});

test("only a bundle of one variant that is no subscription has a link", () => {
  assert.equal(toCheckoutLink("https://shop.example", single), "https://shop.example/cart/8001:1");
  assert.equal(toCheckoutLink("https://shop.example", native), null);
  const plan = { bundle: subscribed.bundle, selection: subscribed.selection };
  assert.equal(toCheckoutLink("https://shop.example", { ...single, ...plan }), null);
});

test("Vendure: the response of configure is the variable, and a bundle's lines are found by its id", () => {
  assert.deepEqual(toVendureOrder(native), { configured: native.result });
  const lines = [
    { id: "1", bundle: { configured: "7" } },
    { id: "2", bundle: null },
    { id: "3", bundle: { configured: "70" } },
    { id: "4", bundle: { configured: "7" } },
    { id: "5" },
  ];
  assert.deepEqual(removeFromVendureOrder({ lines }, 7), { orderLineIds: ["1", "4"] });
  assert.deepEqual(removeFromVendureOrder({}, 7), { orderLineIds: [] });
});
