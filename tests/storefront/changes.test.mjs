/** The changes between two copies of a bundle, and when to fetch again. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween, isOutdated, isPuzzling } from "../../bundlesvc/storefront/component/selection/changes.js";
import { waitBeforeTry } from "../../bundlesvc/storefront/component/retrying.js";
import { readRefusal } from "../../bundlesvc/storefront/react/refusal.js";

const item = (variant, section = 1) => ({ variant, product: "1", section });
const offer = { nameOf: (variant) => `Tea ${variant}` };
const bundle = { limitRules: [{ value: "4" }], requiredProducts: [], settings: { currency: "EUR" } };

/** A copy of the bundle in which these items are chosen. */
const copyWith = (items, changes = {}) => ({
  bundle,
  offer,
  items,
  selection: { items },
  presentment: null,
  ...changes,
});

const refusal = (code, ...details) => ({ code, details });
const dearer = (path, expected, actual) =>
  refusal("price_changed", { path, code: "different_price", expected, actual });

test("a price has its currency before and now", () => {
  const [before, now] = ["40.50", "42.75"];
  const market = { presentment: { currency: "CHF", discountedPrice: before } };
  const chosen = [item("11")];
  const ofShop = changesBetween(copyWith(chosen), copyWith(chosen), dearer("expectedPrice", before, now));
  assert.deepEqual(ofShop.price, {
    before: { amount: before, currency: "EUR" },
    now: { amount: now, currency: "EUR" },
    accept: { expectedPrice: now },
  });
  const ofMarket = dearer("expectedPresentment", before, now);
  const currencies = ({ price }) => [price.before.currency, price.now.currency, Object.keys(price.accept)[0]];
  const same = changesBetween(copyWith(chosen, market), copyWith(chosen, market), ofMarket);
  assert.deepEqual(currencies(same), ["CHF", "CHF", "expectedPresentment"]);
  const lost = changesBetween(copyWith(chosen, market), copyWith(chosen), ofMarket);
  assert.deepEqual(currencies(lost), ["CHF", "EUR", "expectedPresentment"], "the market has the shop's currency now");
});

test("a price is no question for another selection", () => {
  const refused = dearer("expectedPrice", "40.50", "42.75");
  const { price, removed } = changesBetween(copyWith([item("11"), item("12")]), copyWith([item("11")]), refused);
  assert.equal(price, null);
  assert.deepEqual(removed, [{ ...item("12"), title: "Tea 12" }]);
});

for (const [name, before, now, expected] of [
  ["none", ["11", "11", "12"], ["11", "11", "12"], []],
  ["one of two equal ones", ["11", "11", "12"], ["11", "12"], ["11"]],
  ["all", ["11", "12"], [], ["11", "12"]],
  ["none, in another section", ["11"], [item("11", 2)], []],
]) {
  test(`units that are gone: ${name}`, () => {
    const items = (given) => given.map((one) => (typeof one === "string" ? item(one) : one));
    const { removed } = changesBetween(copyWith(items(before)), copyWith(items(now)), refusal("rules_not_met"));
    assert.deepEqual(
      removed.map(({ variant }) => variant),
      expected,
    );
  });
}

for (const [field, value, expected] of [
  ["limitRules", [{ value: "6" }], true],
  ["conditionsEngineNodes", [{ id: "a" }], true],
  ["requiredProducts", [{ platformProductId: "1" }], true],
  ["name", "Box", false],
]) {
  test(`rules ${expected ? "" : "do not "}change with ${field}`, () => {
    const now = copyWith([], { bundle: { ...bundle, [field]: value } });
    assert.equal(changesBetween(copyWith([]), now, refusal("rules_not_met")).rulesChanged, expected);
  });
}

test("faults belong to the selection that they were found in", () => {
  const fault = { path: "products.0", code: "sold_out" };
  const details = (code, now) => changesBetween(copyWith([item("11")]), copyWith(now), refusal(code, fault)).details;
  assert.deepEqual(details("rules_not_met", [item("11")]), [fault]);
  assert.deepEqual(details("rules_not_met", []), []);
  assert.deepEqual(details("selection_invalid", [item("11")]), [], "a current copy shows these itself");
});

test("which refusals say that a copy is outdated", () => {
  for (const code of ["rules_not_met", "selection_invalid", "price_changed", "not_found"])
    assert.ok(isOutdated({ code }));
  for (const code of ["rate_limited", "invalid_request", "internal_error", undefined]) assert.ok(!isOutdated({ code }));
});

for (const [name, details, now, expected] of [
  ["rules, and the same copy", [{ code: "limit_not_met" }], {}, true],
  ["rules, and another copy", [{ code: "limit_not_met" }], { limitRules: [] }, false],
  ["stock, of which a copy need not say anything", [{ code: "sold_out" }], {}, false],
  ["no reason", [], {}, false],
]) {
  test(`whether a copy explains a refusal: ${name}`, () => {
    const before = { bundle, refusal: refusal("rules_not_met", ...details) };
    assert.equal(isPuzzling(before, { ...bundle, ...now }), expected);
  });
}

const slot = (section, ...variants) => ({ section, has: ({ variant }) => variants.includes(variant) });
const offering = (...slots) => ({ ...offer, slots, gifts: [{ variantId: "90" }] });

for (const [name, before, slots, expected] of [
  ["all stay", [item("11"), item("12", 2)], [slot(1, "11"), slot(2, "12")], null],
  ["one is in another section", [item("11"), item("12", 2)], [slot(1, "11", "12")], [item("11"), item("12")]],
  ["one is in no section", [item("11"), item("12", 2)], [slot(1, "11")], [item("11")]],
  ["a required one is one to choose", [item("11", 0)], [slot(3, "11")], [item("11", 3)]],
  ["a free one comes by itself", [item("90", 0)], [slot(1, "11")], null],
]) {
  test(`items of the hooks as they are offered now: ${name}`, () => {
    const now = copyWith(before, { bundle: { ...bundle }, offer: offering(...slots) });
    assert.deepEqual(readRefusal(refusal("rules_not_met"), copyWith(before), now, true).items, expected);
  });
}

test("before the hooks have another copy, the items stay and the faults are the service's", () => {
  const copy = copyWith([item("11")], { offer: offering() });
  const fault = { path: "products.0", code: "not_offered" };
  const { items, faults } = readRefusal(refusal("selection_invalid", fault), copy, copy, true);
  assert.deepEqual([items, faults], [null, [fault]]);
});

test("a new price is no fault, and a question only for what can be bought", () => {
  const copy = copyWith([item("11")], { offer: offering(slot(1, "11")) });
  const refused = dearer("expectedPrice", "40.50", "42.75");
  const { update, faults } = readRefusal(refused, copy, copy, true);
  assert.deepEqual([update.price.accept, update.error, faults], [{ expectedPrice: "42.75" }, refused, []]);
  assert.equal(readRefusal(refused, copy, copy, false).update.price, null);
});

for (const [name, error, tries, expected] of [
  ["after Retry-After", { status: 429, retryAfter: 20 }, 0, [20_000, 21_000]],
  ["after that of an overloaded service", { status: 503, retryAfter: 0 }, 2, [0, 1000]],
  ["never a fourth time", { status: 429, retryAfter: 20 }, 3, null],
  ["never after minutes", { status: 429, retryAfter: 121 }, 0, null],
  ["never without Retry-After", { status: 429, retryAfter: null }, 0, null],
  ["never after another failure", { status: 500, retryAfter: 20 }, 0, null],
  ["never after a failure of the network", { name: "NetworkError" }, 0, null],
]) {
  test(`fetching again: ${name}`, () => {
    const wait = waitBeforeTry(error, tries);
    if (!expected) return assert.equal(wait, null);
    const [least, most] = expected;
    assert.ok(wait >= least && wait <= most, `${wait}`);
  });
}
