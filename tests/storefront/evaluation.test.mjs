/** The results of local evaluation other than prices and refusals, and the request body. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  evaluateConditions,
  evaluateSelection,
  requestBody,
  shownPrice,
} from "../../bundlesvc/storefront/client/client.js";
import { readVectors } from "./selection-cases.mjs";

const vectors = new Map(readVectors().map((vector) => [vector.name, vector]));

function evaluated(name, changes = {}) {
  const { bundle, products, selection, context } = vectors.get(name);
  return evaluateSelection(bundle, products, selection, { ...context, ...changes });
}

test("conditions are the conditions engine's", () => {
  const { bundle, products, selection, context } = vectors.get("conditions: a free mug");
  const variants = new Map(products.flatMap((one) => one.variants).map((one) => [one.platformVariantId, one]));
  const facts = { weightUnit: bundle.weightUnit, country: context.country, subscribed: false };
  const conditions = evaluateConditions(bundle.conditionsEngineNodes, { items: selection.items, variants }, facts);

  assert.deepEqual(evaluated("conditions: a free mug").conditions, conditions);
  assert.deepEqual(conditions.free, [{ variantId: "2001", sectionId: 2, count: 1, actionId: "a4" }]);
});

test("answered fields have fees, by product", () => {
  const fees = evaluated("personalisation: units that differ in answers are one line of a price").fees;
  assert.deepEqual(fees, [{ variantId: "6002", productId: "100", count: 2, amount: "3.50", currencyCode: "EUR" }]);
  assert.deepEqual(evaluated("personalisation: nothing answered").fees, []);
});

for (const [feature, name, expected] of [
  ["conditions", "conditions: three and above 50.00: 15 %", "53.97"],
  ["subscriptions", "subscriptions: with one", undefined],
  ["personalisation", "personalisation: answers that hold", undefined],
]) {
  test(`a shop that has lost the feature ${feature} since the bundle was read`, () => {
    const { activeFeatures } = vectors.get(name).context;
    const evaluation = evaluated(name, { activeFeatures: activeFeatures.filter((one) => one !== feature) });
    assert.equal(evaluation.pricing?.discountedPrice, expected);
  });
}

test("without a list of features, the bundle's fields count", () => {
  const name = "subscriptions: with one";
  assert.deepEqual(evaluated(name, { activeFeatures: undefined }), evaluated(name));
});

test("market prices are ignored without a country", () => {
  const { bundle, products, selection, context } = vectors.get("countries: not sold there");
  const { pricing, refusal } = evaluateSelection(bundle, products, selection, { ...context, country: null });
  assert.deepEqual([pricing.originalPrice, refusal], ["29.49", null]);
});

test("an invalid amount is an error", () => {
  const { bundle, products, selection, context } = vectors.get("discounts: none");
  const broken = products.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, price: 19.99 })),
  }));
  assert.throws(() => evaluateSelection(bundle, broken, selection, context), TypeError);
});

function bodyOf(name, changes = {}) {
  const { bundle, selection, context } = vectors.get(name);
  return requestBody(bundle, { ...selection, ...changes }, context, evaluated(name));
}

test("a body contains only what is given", () => {
  const { items } = vectors.get("discounts: percentage, rounded half up").selection;
  assert.deepEqual(bodyOf("discounts: percentage, rounded half up"), { type: "native", products: items });
});

test("a body contains country, subscription and the conditions' discount", () => {
  const subscription = { id: 7, frequency: 1, unit: "month", email: "mira@mail.example" };
  const { products, ...body } = bodyOf("conditions: the first in the list wins", {
    subscription,
    type: "single-product",
  });
  assert.deepEqual(body, {
    type: "single-product",
    countryCode: "US",
    subscription,
    bundleContent: { conditionsDiscount: { type: "fixed", value: "7.00" } },
  });
});

test("a discount is not sent when some conditions could not run", () => {
  const { bundle, selection, context } = vectors.get("conditions: the first in the list wins");
  const { conditions } = evaluated("conditions: the first in the list wins");
  const body = requestBody(bundle, selection, context, { conditions: { ...conditions, partial: true } });
  assert.equal("bundleContent" in body, false);
});

for (const [name, evaluation, expected] of [
  ["the shop's, without a market", { pricing: { discountedPrice: "40.50" } }, { expectedPrice: "40.50" }],
  [
    "the shop's, in its own currency",
    { pricing: { discountedPrice: "40.50" }, presentment: null },
    { expectedPrice: "40.50" },
  ],
  [
    "the market's alone",
    { pricing: { discountedPrice: "40.50" }, presentment: { discountedPrice: "6400", currency: "JPY" } },
    { expectedPresentment: "6400" },
  ],
  ["none", { pricing: null, presentment: null }, {}],
]) {
  test(`the price that a shopper sees: ${name}`, () => assert.deepEqual(shownPrice(evaluation), expected));
}
