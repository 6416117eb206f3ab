/** Renders the hooks and the component as on a server. Runs in a project with the npm package installed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BundleBuilder, useBundle, useSelection } from "@bundlesvc/storefront/react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

const { readVectors } = await import(process.env.SELECTION_CASES);
const vectors = readVectors();

function Caller({ call }) {
  call();
  return null;
}

/** The value that a hook returns at the first rendering. */
function rendered(useHook) {
  const returned = [];
  renderToString(createElement(Caller, { call: () => returned.push(useHook()) }));
  return returned[0];
}

function select({ bundle, products, context, selection }, initial = selection) {
  const shown = { ...bundle, products, settings: context };
  return rendered(() => useSelection({}, shown, { countryCode: context.country, initial }));
}

const vectorOf = (name) => vectors.find((vector) => vector.name === name);
const inNoSection = ({ items }) => items.filter(({ section }) => section === 0);

test("attributes are in the HTML, events are not", () => {
  const props = { bundleId: 101, apiKey: "k", className: "wide", lang: "de", selection: { items: [] }, onReady() {} };
  const html = '<bundle-builder bundle-id="101" api-key="k" class="wide" lang="de"></bundle-builder>';
  assert.equal(renderToString(createElement(BundleBuilder, props)), html);
});

test("a bundle that the server fetched is there at once, any other is loading", () => {
  const bundle = { id: 1 };
  const { reload, ...state } = rendered(() => useBundle({}, { id: 1 }, { initial: bundle }));
  assert.deepEqual(state, { bundle, error: null, isLoading: false });
  assert.equal(rendered(() => useBundle({}, { id: 1 })).isLoading, true);
});

test("without a bundle there is nothing to buy", async () => {
  const { configure, evaluation, faults, selection } = rendered(() => useSelection({}, null));
  assert.deepEqual([evaluation, faults, selection], [null, [], { items: [] }]);
  assert.equal(await configure(), null);
});

for (const vector of vectors) {
  test(vector.name, () => {
    const { evaluation, faults } = select(vector);
    const { pricing, refusal } = vector.expected;
    if (vector.unlisted.length) return assert.deepEqual(evaluation.unlisted, vector.unlisted);
    assert.deepEqual([evaluation.pricing, faults], [pricing, refusal?.details ?? []]);
  });
}

test("free items that no section offers are added, and not twice", () => {
  const offersGifts = ({ bundle }) =>
    !bundle.requiredProducts.length && bundle.conditionsEngineNodes?.some(({ type }) => type === "free-item");
  const all = vectors.map((vector) => ({ ...vector, products: [...vector.others, ...vector.products] }));
  const gifts = all.filter((vector) => offersGifts(vector) && inNoSection(select(vector).selection).length);
  assert.ok(gifts.length > 0);
  for (const vector of gifts) {
    const { selection } = select(vector);
    const chosen = { ...selection, items: selection.items.filter(({ section }) => section !== 0) };
    assert.deepEqual(inNoSection(select(vector, chosen).selection), inNoSection(selection));
  }
});

test("required products are there from the start", () => {
  const vector =
    vectorOf("rules: required ones are missing") ?? vectors.find(({ bundle }) => bundle.requiredProducts.length);
  const { faults, selection } = select(vector, null);
  const count = vector.bundle.requiredProducts.reduce((sum, { quantity }) => sum + quantity, 0);
  assert.equal(selection.items.filter(({ section }) => section === 0).length, count);
  assert.deepEqual(
    faults.filter(({ code }) => code === "required_missing"),
    [],
  );
});
