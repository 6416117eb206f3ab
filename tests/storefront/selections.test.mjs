/** Local evaluation comes to what the service answers (tests/vectors/selections.json); what only clients are told is here. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluateCase, readVectors } from "./selection-cases.mjs";

const vectors = readVectors();

for (const { name, expected, others, unlisted, ...vector } of vectors) {
  test(name, () => {
    // A list may hold more than the bundle names: it is no offer.
    const { evaluation } = evaluateCase({ ...vector, products: [...others, ...vector.products] });
    assert.deepEqual({ pricing: evaluation.pricing, refusal: evaluation.refusal }, expected);
    assert.deepEqual(evaluation.unlisted, []);
  });
}

for (const { name, expected, unlisted, ...vector } of vectors.filter((one) => one.unlisted.length > 0)) {
  test(`${name}, without its product`, () => {
    const { evaluation } = evaluateCase(vector);
    assert.deepEqual(evaluation.unlisted, unlisted);
    assert.equal(evaluation.pricing, null);
    assert.deepEqual(evaluation.refusal, expected.refusal);
  });
}
