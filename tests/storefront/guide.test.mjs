/** The code in docs/conditions.md runs and does what the guide says. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readVectors, selectionOf } from "./vector-cases.mjs";

const CLIENT = new URL("../../bundlesvc/storefront/client/conditions.js", import.meta.url);
const guide = readFileSync(new URL("../../docs/conditions.md", import.meta.url), "utf-8");

const code = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block).join("\n");
const placed = code.replace('"./conditions.js"', JSON.stringify(CLIENT.href));
const { evaluate, explain } = await import(`data:text/javascript,${encodeURIComponent(placed)}`);

const examples = readVectors().filter((vector) => vector.name.includes("worked example"));

function example(name) {
  return examples.find((vector) => vector.name.endsWith(`: ${name}`));
}

/** The vector as a client sees it: a bundle, its products, a request. */
function evaluateExample({ nodes, lines, facts }) {
  const { items, variants } = selectionOf(lines);
  const bundle = { weightUnit: facts.weightUnit, conditionsEngineNodes: nodes };
  const products = [...variants].map(([id, variant]) => ({ variants: [{ platformVariantId: id, ...variant }] }));
  return { bundle, result: evaluate(bundle, products, { items, countryCode: facts.country ?? undefined }) };
}

for (const vector of examples) {
  test(`the guide's client evaluates: ${vector.name}`, () => {
    assert.deepEqual(evaluateExample(vector).result, vector.expected);
  });
}

test("the guide's client explains the result", () => {
  const { bundle, result } = evaluateExample(example("3 shirts and a mug"));

  assert.deepEqual(
    result.actions.map((action) => explain(bundle, action)),
    [
      "local did not fire: country eq DE",
      "usual fired: total-products gte 3",
      "mug fired: total-products gte 3",
      "hint did not fire: total-products gte 3",
    ],
  );
});
