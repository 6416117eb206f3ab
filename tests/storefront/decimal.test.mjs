/** Exact decimal numbers, tested with decimal strings. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as decimal from "../../bundlesvc/storefront/client/decimal.js";

const { add, compare, fromInteger, isDecimal, multiply, parse, round, subtract, toFixed, toPlain } = decimal;

/** Makes a function of two numbers take and return texts. */
function over(operation, left, right) {
  return toPlain(operation(parse(left), parse(right)));
}

for (const text of ["0", "12", "12.50", "-0.5", "007", "-0", "99999999999999999999.000000000001"]) {
  test(`${text} is a decimal string`, () => assert.equal(isDecimal(text), true));
}

for (const text of [
  "",
  " 1",
  "1 ",
  "1\n",
  "1.",
  ".5",
  "+1",
  "--1",
  "1e3",
  "1,5",
  "0x10",
  "NaN",
  "١",
  1,
  1n,
  null,
  undefined,
  {},
]) {
  test(`${typeof text} ${JSON.stringify(typeof text === "bigint" ? String(text) : text)} is not a decimal string`, () => {
    assert.equal(isDecimal(text), false);
    assert.throws(() => parse(text), TypeError);
  });
}

for (const [text, plain] of [
  ["3.00", "3"],
  ["100", "100"],
  ["1.30", "1.3"],
  ["0.00", "0"],
  ["-0.00", "0"],
  ["-0.50", "-0.5"],
  ["007.70", "7.7"],
  ["0.000000000001", "0.000000000001"],
]) {
  test(`${text} is ${plain}`, () => assert.equal(toPlain(parse(text)), plain));
}

test("sums and products are exact", () => {
  assert.equal(over(add, "0.1", "0.2"), "0.3");
  assert.equal(over(add, "99999999999999999999.99", "0.01"), "100000000000000000000");
  assert.equal(over(subtract, "0.3", "0.1"), "0.2");
  assert.equal(over(subtract, "1", "1.01"), "-0.01");
  assert.equal(over(multiply, "4.35", "100"), "435");
  assert.equal(over(multiply, "-1.5", "0.5"), "-0.75");
  assert.equal(over(multiply, "999999999999.123456789012", "28.349523125"), "28349523124975.1504179700339399025");
});

for (const [left, right, order] of [
  ["3", "3.00", 0],
  ["-0", "0.0", 0],
  ["9", "10", -1],
  ["2.999999999999", "3", -1],
  ["3.000000000001", "3", 1],
  ["-2", "-1", -1],
  ["9007199254740993", "9007199254740992", 1],
]) {
  test(`${left} compared with ${right} is ${order}`, () => {
    assert.equal(compare(parse(left), parse(right)), order);
    assert.equal(compare(parse(right), parse(left)), order === 0 ? 0 : -order);
  });
}

for (const [text, decimals, rounded] of [
  ["1.005", 2, "1.01"],
  ["1.004999", 2, "1.00"],
  ["-1.005", 2, "-1.01"],
  ["-0.004", 2, "0.00"],
  ["0.5", 0, "1"],
  ["2.5", 0, "3"],
  ["0.4", 0, "0"],
  ["3", 2, "3.00"],
  ["0.05", 2, "0.05"],
  ["99.995", 2, "100.00"],
]) {
  test(`${text} with ${decimals} decimals is ${rounded}`, () => {
    assert.equal(toFixed(parse(text), decimals), rounded);
    assert.equal(compare(round(parse(text), decimals), parse(rounded)), 0);
  });
}

test("whole numbers", () => {
  assert.equal(toPlain(fromInteger(Number.MAX_SAFE_INTEGER)), "9007199254740991");
  assert.equal(toPlain(fromInteger(-12n)), "-12");
  assert.throws(() => fromInteger(1.5), RangeError);
  assert.equal(toPlain(decimal.ZERO), "0");
});

test("numbers are frozen", () => assert.equal(Object.isFrozen(parse("1.5")), true));
