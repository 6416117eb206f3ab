/** The modules export what their types declare. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as cart from "../../bundlesvc/storefront/cart/cart.js";
import * as client from "../../bundlesvc/storefront/client/client.js";

const FOLDER = new URL("../../bundlesvc/storefront/client/", import.meta.url);

/** The names of the values that a file of types declares. */
function declaredIn(name) {
  const text = readFileSync(new URL(name, FOLDER), "utf-8");
  return [...text.matchAll(/^export declare (?:function|class|const) (\w+)/gm)].map(([, declared]) => declared);
}

test("client.js", () => {
  const declared = [
    ...declaredIn("client.d.ts"),
    ...declaredIn("conditions.d.ts"),
    ...declaredIn("wire.d.ts"),
    "decimal",
  ];
  assert.deepEqual(Object.keys(client).sort(), declared.sort());
});

test("decimal.js", () => assert.deepEqual(Object.keys(client.decimal).sort(), declaredIn("decimal.d.ts").sort()));

test("cart.js", () =>
  assert.deepEqual(Object.keys(cart).sort(), ["CartDataError", ...declaredIn("../cart/cart.d.ts")].sort()));
