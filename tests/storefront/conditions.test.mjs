/** The client module's conditions engine: the shared vectors, and input that only occurs in browsers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluateConditions } from "../../bundlesvc/storefront/client/conditions.js";
import { evaluateCase, readDefaults, readVectors } from "./vector-cases.mjs";

const NOTHING = readDefaults().expected;
const FACTS = { weightUnit: "kg" };
const ONE = { id: "c1", kind: "condition", type: "total-products", operation: "gte", value: "1" };

function say(when, id = "a1") {
  return { id, kind: "action", type: "message", text: "Yes.", ...(when === undefined ? {} : { when }) };
}

function item(variant = "11", section = 1) {
  return { variant, product: "1", section };
}

function select(items, variants = {}) {
  return { items, variants: new Map(Object.entries(variants)) };
}

function run(nodes, selection = select([item()]), facts = FACTS) {
  return evaluateConditions(nodes, selection, facts);
}

function fires(condition, selection, facts = FACTS) {
  const result = run([condition, say(condition.id)], selection, facts);
  assert.equal(result.partial, false);
  return result.messages.length === 1;
}

for (const vector of readVectors()) {
  test(vector.name, () => assert.deepEqual(evaluateCase(vector), vector.expected));
}

for (const nodes of [undefined, null, []]) {
  test(`a bundle whose conditionsEngineNodes are ${JSON.stringify(nodes)} has no effect`, () => {
    assert.deepEqual(run(nodes), NOTHING);
  });
}

test("global and numeric ids are the same", () => {
  const free = {
    id: "a1",
    kind: "action",
    type: "free-item",
    variantId: "gid://platform/ProductVariant/11",
    quantity: 1,
  };
  const variant = { id: "c1", kind: "condition", type: "variant-selected", variantId: "11" };
  const product = {
    id: "c2",
    kind: "condition",
    type: "product-quantity",
    productId: "1",
    operation: "eq",
    value: "1",
  };
  const price = { id: "c3", kind: "condition", type: "total-price", operation: "eq", value: "4.00" };
  const all = { id: "g1", kind: "group", mode: "all", children: ["c1", "c2", "c3"] };
  const hide = { id: "a2", kind: "action", type: "hide-product", productId: "gid://platform/Product/1", when: "g1" };
  const global = { variant: "gid://platform/ProductVariant/11", product: "gid://platform/Product/1", section: 1 };
  const selection = select([global, item()], { 11: { price: "4.00", grams: 0 } });

  const result = run([variant, product, price, all, free, hide], selection);

  assert.deepEqual(result.free, [{ variantId: "11", sectionId: 1, count: 1, actionId: "a1" }]);
  assert.deepEqual(result.hiddenProducts, [{ productId: "1", sectionId: null }]);
});

test("with a country, the market's price counts if there is one", () => {
  const atLeastTen = { id: "c1", kind: "condition", type: "total-price", operation: "gte", value: "10.00" };
  const dearAbroad = select([item()], { 11: { price: "9.00", priceInShopCurrency: "11.00", grams: 0 } });

  assert.equal(fires(atLeastTen, dearAbroad), false);
  assert.equal(fires(atLeastTen, dearAbroad, { ...FACTS, country: "US" }), true);
  assert.equal(
    fires(atLeastTen, select([item()], { 11: { price: "10.00", grams: 0 } }), { ...FACTS, country: "US" }),
    true,
  );
});

test("a missing variant counts as a unit without price and weight", () => {
  for (const [type, value] of Object.entries({ "total-products": "1", "total-price": "0", "total-weight": "0" })) {
    assert.equal(fires({ id: "c1", kind: "condition", type, operation: "eq", value }, select([item()])), true, type);
  }
});

test("a price must be a decimal string", () => {
  assert.throws(() => run([ONE], select([item()], { 11: { price: 9.99, grams: 0 } })), TypeError);
});

test("country codes may be in lower case", () => {
  const germany = { id: "c1", kind: "condition", type: "country", operation: "eq", value: "DE" };
  assert.equal(fires(germany, select([item()]), { ...FACTS, country: "de" }), true);
  assert.equal(fires(germany, select([item()]), { ...FACTS, country: "" }), false);
});

test("arguments are not changed", () => {
  const free = { id: "a1", kind: "action", type: "free-item", variantId: "11", quantity: 1 };
  const nodes = Object.freeze([Object.freeze(ONE), Object.freeze(free)]);
  const items = Object.freeze([Object.freeze(item()), Object.freeze(item())]);

  const first = run(nodes, select(items));

  assert.deepEqual(run(nodes, select(items)), first);
});

test("groups may nest to any depth", () => {
  const depth = 50_000;
  const groups = Array.from({ length: depth }, (_, level) => ({
    id: `g${level}`,
    kind: "group",
    mode: "none",
    children: [level === 0 ? "c1" : `g${level - 1}`],
  }));
  const result = run([say(`g${depth - 1}`), ...groups.reverse(), ONE]);

  assert.deepEqual(result.actions, [{ id: "a1", fired: true, decidedBy: ["c1"] }]);
});

test("a group may have very many children", () => {
  const children = Array.from({ length: 200_000 }, () => "c1");
  const result = run([ONE, { id: "g1", kind: "group", mode: "all", children }, say("g1")]);

  assert.deepEqual(result.actions, [{ id: "a1", fired: true, decidedBy: ["c1"] }]);
});

/** Nodes that the service does not send today: each is skipped, together with the nodes that depend on it, and the rest runs. */
const NOT_RUN = {
  "an operation of a later version": { ...ONE, id: "x", operation: "between" },
  "an operation that is the name of something else": { ...ONE, id: "x", operation: "constructor" },
  "a value that is not a decimal string": { ...ONE, id: "x", value: "1e3" },
  "a value that is a number": { ...ONE, id: "x", value: 1 },
  "a country compared otherwise": { id: "x", kind: "condition", type: "country", operation: "gte", value: "DE" },
  "a country without a code": { id: "x", kind: "condition", type: "country" },
  "a group mode of a later version": { id: "x", kind: "group", mode: "most", children: ["c1"] },
  "a group over itself": { id: "x", kind: "group", mode: "all", children: ["c1", "x"] },
  "a group over a missing node": { id: "x", kind: "group", mode: "any", children: ["c1", "gone"] },
  "a group over an action": { id: "x", kind: "group", mode: "any", children: ["c1", "a2"] },
  "a group whose children are not ids": { id: "x", kind: "group", mode: "any", children: [null, {}, ["c1"]] },
  "a node without a kind": { id: "x" },
  "a condition without a type": { id: "x", kind: "condition" },
};

for (const [what, node] of Object.entries(NOT_RUN)) {
  test(`skipped: ${what}`, () => {
    const result = run([node, ONE, say("x"), say("c1", "a2")]);

    assert.deepEqual(result.actions, [{ id: "a2", fired: true, decidedBy: ["c1"] }]);
    assert.equal(result.partial, true);
  });
}

const NOT_DONE = {
  "a discount of a later type": { type: "discount", discount: { type: "cheapest-free", value: "1" } },
  "an action without its discount": { type: "discount" },
  "half a free item": { type: "free-item", variantId: "11", quantity: 0.5 },
  "a negative number of free items": { type: "free-item", variantId: "11", quantity: -1 },
  "a `when` that is not an id": { type: "message", text: "", when: ["c1"] },
  "a `when` of a missing node": { type: "message", text: "", when: "gone" },
  "its own id in `when`": { type: "message", text: "", when: "a1" },
};

for (const [what, action] of Object.entries(NOT_DONE)) {
  test(`skipped: an action with ${what}`, () => {
    const result = run([ONE, { id: "a1", kind: "action", ...action }, say("c1", "a2")]);

    assert.deepEqual(result.actions, [{ id: "a2", fired: true, decidedBy: ["c1"] }]);
    assert.deepEqual(result.free, []);
    assert.equal(result.partial, true);
  });
}

test("two groups that contain each other are skipped", () => {
  const groups = [
    { id: "g1", kind: "group", mode: "any", children: ["g2", "c1"] },
    { id: "g2", kind: "group", mode: "any", children: ["g1"] },
  ];
  assert.deepEqual(run([...groups, ONE, say("g1")]), { ...NOTHING, partial: true });
});

test("of two nodes with one id the first runs", () => {
  const result = run([ONE, { ...ONE, value: "9" }, say("c1"), { ...say("c1"), text: "Again." }]);

  assert.deepEqual(result.messages, [{ actionId: "a1", text: "Yes." }]);
  assert.equal(result.partial, true);
});

test("values that are not nodes are skipped", () => {
  assert.deepEqual(run([null, 7, "c1", [], {}, say()]).messages, [{ actionId: "a1", text: "Yes." }]);
});

test("without a known weight unit, conditions on weight are skipped", () => {
  const heavy = { id: "c1", kind: "condition", type: "total-weight", operation: "gte", value: "0" };
  assert.deepEqual(run([heavy, say("c1")], select([item()]), { weightUnit: "st" }), { ...NOTHING, partial: true });
});
