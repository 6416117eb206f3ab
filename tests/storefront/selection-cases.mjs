/** Cases in the format of tests/vectors/selections.json, and the client module's results for them. */

import { readFileSync } from "node:fs";

import { evaluateSelection, requestBody } from "../../bundlesvc/storefront/client/client.js";

/** Every vector in the form that a client sees; `others` are products that are not in the bundle's list. */
export function readVectors() {
  const { shops, chapters } = JSON.parse(readFileSync(new URL("../vectors/selections.json", import.meta.url), "utf-8"));
  return chapters.flatMap(({ chapter, vectors }) =>
    vectors.map((vector) => ({ ...vectorCase(vector, shops[vector.shop].shown), name: `${chapter}: ${vector.name}` })),
  );
}

function vectorCase({ bundle: id, country = null, items, type, subscription, unlisted = [], expected }, shown) {
  const bundle = { ...shown.bundle, ...shown.bundles[id] };
  const named = [...bundle.sections.flatMap((section) => section.products), ...bundle.requiredProducts];
  const ids = new Set(named.map((one) => one.platformProductId));
  const all = Object.values(shown.products[country ?? ""]);
  const { currency, activeFeatures } = shown.settings;
  return {
    bundle,
    products: all.filter((product) => ids.has(product.platformProductId)),
    others: all.filter((product) => !ids.has(product.platformProductId)),
    selection: { items: items.flatMap(unitsOf), type, subscription },
    context: { currency, country, activeFeatures },
    unlisted,
    expected,
  };
}

function unitsOf({ count = 1, ...unit }) {
  return Array.from({ length: count }, () => unit);
}

export function evaluateCase({ bundle, products, selection, context }) {
  const evaluation = evaluateSelection(bundle, products, selection, context);
  return { evaluation, body: requestBody(bundle, selection, context, evaluation) };
}
