/** What local evaluation tells beside prices and refusals, and the body that it makes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluateConditions, evaluateSelection, requestBody } from "../../bundlesvc/storefront/client/client.js";
import { readVectors } from "./selection-cases.mjs";

const vectors = new Map(readVectors().map((vector) => [vector.name, vector]));

function evaluated(name, changes = {}) {
  const { bundle, products, selection, context } = vectors.get(name);
  return evaluateSelection(bundle, products, selection, { ...context, ...changes });
}

test("conditions are those of the conditions engine", () => {
  const { bundle, products, selection, context } = vectors.get("conditions: a free mug");
  const variants = new Map(products.flatMap((one) => one.variants).map((one) => [one.platformVariantId, one]));
  const facts = { weightUnit: bundle.weightUnit, country: context.country, subscribed: false };
  const conditions = evaluateConditions(bundle.conditionsEngineNodes, { items: selection.items, variants }, facts);

  assert.deepEqual(evaluated("conditions: a free mug").conditions, conditions);
  assert.deepEqual(conditions.free, [{ variantId: "2001", sectionId: 2, count: 1, actionId: "a4" }]);
});

test("fees are those of answered fields, by product", () => {
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

test("without a list of features the bundle shows them", () => {
  const name = "subscriptions: with one";
  assert.deepEqual(evaluated(name, { activeFeatures: undefined }), evaluated(name));
});

test("markets do not matter where no country is asked for", () => {
  const { bundle, products, selection, context } = vectors.get("countries: not sold there");
  const { pricing, refusal } = evaluateSelection(bundle, products, selection, { ...context, country: null });
  assert.deepEqual([pricing.originalPrice, refusal], ["29.49", null]);
});

test("an amount that is none is an error, never a price", () => {
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

test("a body says no more than there is", () => {
  const { items } = vectors.get("discounts: percentage, rounded half up").selection;
  assert.deepEqual(bodyOf("discounts: percentage, rounded half up"), { type: "native", products: items });
});

test("a body names country, subscription and the conditions' discount", () => {
  const subscription = { id: 7, frequency: 1, unit: "month", email: "mira@mail.example" };
  const { products, ...body } = bodyOf("conditions: the first in the list wins", { subscription, type: "single-product" });
  assert.deepEqual(body, {
    type: "single-product",
    countryCode: "US",
    subscription,
    bundleContent: { conditionsDiscount: { type: "fixed", value: "7.00" } },
  });
});

test("a discount of conditions that could not all be run is left to the service", () => {
  const { bundle, selection, context } = vectors.get("conditions: the first in the list wins");
  const { conditions } = evaluated("conditions: the first in the list wins");
  const body = requestBody(bundle, selection, context, { conditions: { ...conditions, partial: true } });
  assert.equal("bundleContent" in body, false);
});
