/** The platform's cart: lines, the attribute `_bundles`, and the removal of a bundle. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { CartDataError, cartLines, mergeBundles, removeBundle } from "../../bundlesvc/storefront/client/client.js";

const LARGEST = Number.MAX_SAFE_INTEGER;

/** The configure result of a native bundle. */
function native(id, entry = {}) {
  const properties = { _bundle_data: `${id}#9001#0123456789abcdef0123456789abcdef` };
  return {
    configured_bundle_id: id,
    variant_id: "9001",
    product_id: "900",
    discount: `token-${id}`,
    subscription_id: null,
    pricing: {},
    cart: {
      line_items: [{ id: 11, quantity: 2, properties }],
      attributes: { _bundles: JSON.stringify({ [id]: { configuredBundleId: id, discount: `token-${id}`, ...entry } }) },
    },
  };
}

const ghost = { ...native(5), variant_id: "8000000000000001", cart: null };

test("a native bundle has the lines of the service", () => {
  assert.deepEqual(cartLines(native(7)), native(7).cart.line_items);
});

test("any other bundle is one line of its variant", () => {
  assert.deepEqual(cartLines(ghost), [{ id: 8000000000000001, quantity: 1, properties: {} }]);
});

for (const absent of [null, undefined, ""]) {
  test(`an entry is added to ${JSON.stringify(absent)}`, () => {
    assert.deepEqual(JSON.parse(mergeBundles(absent, native(7))), {
      7: { configuredBundleId: 7, discount: "token-7" },
    });
    assert.equal(mergeBundles(absent, ghost), "");
  });
}

test("other entries stay unchanged", () => {
  const others = {
    9007199254740000: { discount: "é", items: [{ variantId: LARGEST, count: 1 }] },
    note: "by hand",
    3: null,
  };
  const merged = JSON.parse(mergeBundles(JSON.stringify(others), native(LARGEST)));
  assert.deepEqual(merged, { ...others, [LARGEST]: { configuredBundleId: LARGEST, discount: `token-${LARGEST}` } });
});

test("adding an entry twice leaves one", () => {
  const once = mergeBundles("", native(7));
  assert.equal(mergeBundles(once, native(7)), once);
});

test("a newer entry replaces the older", () => {
  const merged = JSON.parse(mergeBundles(mergeBundles("", native(7, { title: "Old" })), native(7, { title: "New" })));
  assert.equal(merged[7].title, "New");
});

test("an entry may have the name of an object's own property", () => {
  const merged = mergeBundles('{"__proto__": {"discount": "x"}}', native(7));
  assert.deepEqual(Object.keys(JSON.parse(merged)).sort(), ["7", "__proto__"]);
});

test("a bundle without an entry leaves the attribute unchanged", () => {
  assert.equal(mergeBundles('{"7" : {}}', ghost), '{"7" : {}}');
});

const UNREADABLE = ['{"7": {', "[]", "null", '"text"', "12", '{"7": {"variantId": 9007199254740993}}'];

for (const text of UNREADABLE) {
  test(`${text} is not discarded`, () => {
    const isTold = (error) => error instanceof CartDataError && error.text === text && error.cause instanceof Error;
    assert.throws(() => mergeBundles(text, native(7)), isTold);
    assert.throws(() => mergeBundles(text, ghost), isTold);
    assert.throws(() => removeBundle({ items: [], attributes: { _bundles: text } }, 7), isTold);
  });
}

/** A cart with the bundles 7 and 77, a single shirt, and gift wrapping. */
function cart() {
  const merged = mergeBundles(mergeBundles("", native(7)), native(77));
  return {
    token: "c1",
    items: [
      { key: "a", properties: { _bundle_data: "7#9001#x" } },
      { key: "b", properties: { _bundle_data: "77#9001#x", Name: "Mira" } },
      { key: "c", properties: { _bundle_data: "7#9001#x", _bundle_fee: "1" } },
      { key: "d", properties: null },
      { key: "e" },
      { key: "f", properties: { Engraving: "7#" } },
    ],
    attributes: { _bundles: merged, wrap: "yes" },
  };
}

test("only a bundle's lines and entry are removed", () => {
  const before = cart();
  const after = removeBundle(before, 7);
  assert.deepEqual(
    after.items.map((item) => item.key),
    ["b", "d", "e", "f"],
  );
  assert.deepEqual(JSON.parse(after.attributes._bundles), { 77: { configuredBundleId: 77, discount: "token-77" } });
  assert.equal(after.attributes.wrap, "yes");
  assert.equal(after.token, "c1");
  assert.deepEqual(before, cart());
});

test("removing the last entry leaves an empty object", () => {
  assert.equal(removeBundle(removeBundle(cart(), 7), 77).attributes._bundles, "{}");
});

test("removing an unknown bundle changes nothing", () => assert.deepEqual(removeBundle(cart(), 8), cart()));

for (const attributes of [undefined, null, {}, { _bundles: "" }]) {
  test(`lines without an entry, attributes ${JSON.stringify(attributes)}`, () => {
    const items = [{ properties: { _bundle_data: "7#9001#x" } }];
    assert.deepEqual(removeBundle({ items, attributes }, 7), { items: [], attributes });
  });
}
