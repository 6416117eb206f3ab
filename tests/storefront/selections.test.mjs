/** Local evaluation returns the service's results (tests/vectors/selections.json), and results that only clients need. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluateCase, readVectors } from "./selection-cases.mjs";

const vectors = readVectors();

for (const { name, expected, others, unlisted, ...vector } of vectors) {
  test(name, () => {
    // The list may contain products that the bundle does not offer.
    const { evaluation } = evaluateCase({ ...vector, products: [...others, ...vector.products] });
    const { pricing, presentment, refusal } = evaluation;
    assert.deepEqual({ pricing, ...(presentment && { presentment }), refusal }, expected);
    assert.deepEqual(evaluation.unlisted, []);
  });
}

for (const { name, expected, unlisted, ...vector } of vectors.filter((one) => one.unlisted.length > 0)) {
  test(`${name}, without its product`, () => {
    const { evaluation } = evaluateCase(vector);
    assert.deepEqual(evaluation.unlisted, unlisted);
    assert.equal(evaluation.pricing ?? evaluation.presentment, null);
    assert.deepEqual(evaluation.refusal, expected.refusal);
  });
}
