/** The next tier that a shopper could reach. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluateSelection } from "../../bundlesvc/storefront/client/client.js";

const PRICES = { 11: "10.00", 12: "20.00", 21: "2.50" };

const products = ["1", "2"].map((id) => ({
  platformProductId: id,
  title: `Product ${id}`,
  status: "ACTIVE",
  variants: Object.entries(PRICES)
    .filter(([variant]) => variant.startsWith(id))
    .map(([variant, price]) => ({ platformVariantId: variant, title: variant, price, available: true, grams: 0 })),
}));

/** "11*2 21" in one section. */
function itemsOf(text) {
  return text
    .split(" ")
    .filter(Boolean)
    .flatMap((part) => {
      const [variant, count = "1"] = part.split("*");
      return Array.from({ length: Number(count) }, () => ({ variant, product: variant[0], section: 1 }));
    });
}

/** "total_products gte 3: 10.00" */
function tierOf(text) {
  const [, type, operation, value, discount] = /^(\w+) (\w+) (\S+): (\S+)$/.exec(text);
  return { type, operation, value, discount, customText: null };
}

function nextTierOf({ type = "percentage", tiers, items, nodes, currency = "EUR", ...more }) {
  const offered = products.map((product) => ({ platformProductId: product.platformProductId, variantIds: [] }));
  const discount = { type, value: "0.00", flatOrTiered: "tiered", minimum: null, operator: "max", ...more };
  const bundle = {
    type: "native",
    weightUnit: "kg",
    sections: [{ id: 1, name: "All", products: offered }],
    requiredProducts: [],
    limitRules: [],
    conditionsEngineNodes: nodes,
    discount: { ...discount, tiers: tiers.map(tierOf) },
  };
  return evaluateSelection(bundle, products, { items: itemsOf(items) }, { currency }).nextTier;
}

const THREE_FIVE = ["total_products gte 3: 10.00", "total_products gte 5: 20.00"];

for (const [name, given, expected] of [
  ["nothing chosen", { tiers: THREE_FIVE, items: "" }, "3 total_products 10.00"],
  ["two: one more", { tiers: THREE_FIVE, items: "11*2" }, "1 total_products 10.00"],
  ["three: two more", { tiers: THREE_FIVE, items: "11*3" }, "2 total_products 20.00"],
  ["five: all are reached", { tiers: THREE_FIVE, items: "11*5" }, null],
  ["listed the other way round", { tiers: [...THREE_FIVE].reverse(), items: "" }, "3 total_products 10.00"],
  ["more than three", { tiers: ["total_products gt 3: 10.00"], items: "11*3" }, "1 total_products 10.00"],
  ["exactly four", { tiers: ["total_products eq 4: 10.00"], items: "11*3" }, "1 total_products 10.00"],
  ["exactly four, and there are more", { tiers: ["total_products eq 4: 10.00"], items: "11*5" }, null],
  ["exactly two and a half, which never are", { tiers: ["total_products eq 2.5: 10.00"], items: "11" }, null],
  ["at least two and a half", { tiers: ["total_products gte 2.5: 10.00"], items: "11" }, "2 total_products 10.00"],
  [
    "less than two cannot be reached",
    { tiers: ["total_products lt 2: 10.00", "total_products lte 2: 9.00"], items: "11*3" },
    null,
  ],
  ["of one product", { tiers: ["bulk_buy gte 4: 10.00"], items: "11*2 12 21*2" }, "1 bulk_buy 10.00"],
  ["money", { tiers: ["total_price gte 50: 10.00"], items: "11*4 21" }, "7.5 total_price 10.00"],
  ["more than so much money", { tiers: ["total_price gt 50.00: 10.00"], items: "11*5" }, "0.01 total_price 10.00"],
  [
    "more than so many yen",
    { tiers: ["total_price gt 49.50: 10.00"], items: "11*4", currency: "JPY" },
    "10 total_price 10.00",
  ],
  [
    "the nearest by its part",
    { tiers: ["total_products gte 10: 30.00", "total_price gte 50: 20.00"], items: "11*4" },
    "10 total_price 20.00",
  ],
  [
    "no better than what is reached",
    {
      tiers: ["total_products gte 2: 20.00", "total_products gte 3: 20.00", "total_products gte 9: 25.00"],
      items: "11*2",
    },
    "7 total_products 25.00",
  ],
  ["of nothing", { tiers: ["total_products gte 3: 0.00"], items: "11*2" }, null],
  ["of nothing, when nothing is chosen", { tiers: ["total_products gte 3: 0.00"], items: "" }, null],
  [
    "fixed",
    { type: "fixed", tiers: ["total_products gte 2: 5.00", "total_products gte 4: 12.00"], items: "11*2" },
    "2 total_products 12.00",
  ],
  [
    "fixed, and as much as all",
    { type: "fixed", tiers: ["total_products gte 1: 100.00", "total_products gte 2: 200.00"], items: "11" },
    null,
  ],
  [
    "a price for three",
    { type: "price", tiers: ["total_products gte 3: 25.00"], items: "11*2" },
    "1 total_products 25.00",
  ],
  [
    "a price for three, when nothing is chosen",
    { type: "price", tiers: ["total_products gte 3: 25.00"], items: "" },
    "3 total_products 25.00",
  ],
  [
    "a price that is none for such cheap ones",
    { type: "price", tiers: ["total_products gte 3: 25.00"], items: "21*2" },
    null,
  ],
  [
    "a minimum that will be there",
    { tiers: ["total_products gte 3: 10.00"], minimum: "30.00", items: "11*2" },
    "1 total_products 10.00",
  ],
  ["a minimum that will not", { tiers: ["total_products gte 3: 10.00"], minimum: "30.01", items: "11*2" }, null],
  [
    "discounts that add up",
    { tiers: ["total_products gte 2: 10.00", "total_products gte 3: 1.00"], operator: "cumulative", items: "11*2" },
    "1 total_products 1.00",
  ],
  [
    "discounts that add up to all",
    { tiers: ["total_products gte 2: 100.00", "total_products gte 3: 1.00"], operator: "cumulative", items: "11*2" },
    null,
  ],
  ["a flat discount", { tiers: THREE_FIVE, flatOrTiered: "flat", value: "10.00", items: "11" }, null],
]) {
  test(name, () => {
    const next = nextTierOf(given);
    assert.equal(next && `${next.missing} ${next.type} ${next.discount}`, expected);
  });
}

test("a tier has its discount type and the merchant's text", () => {
  const next = nextTierOf({ type: "fixed", tiers: ["total_products gte 3: 5.00"], items: "11" });
  assert.deepEqual(next, {
    type: "total_products",
    missing: "2",
    discount: "5.00",
    discountType: "fixed",
    customText: null,
  });
});

const FREE = { id: "a1", kind: "action", type: "free-item", variantId: "21", quantity: 1 };
const TENTH = { id: "a2", kind: "action", type: "discount", discount: { type: "percentage", value: "10.00" } };

test("free units do not count", () => {
  assert.equal(nextTierOf({ tiers: THREE_FIVE, items: "11*2 21", nodes: [FREE] }).missing, "1");
});

test("the conditions' discount replaces all tiers", () => {
  assert.equal(nextTierOf({ tiers: THREE_FIVE, items: "11*2", nodes: [TENTH] }), null);
});
