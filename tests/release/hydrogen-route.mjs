/** Runs the built route of the Hydrogen example with a cart that records its calls. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { useAddBundle } from "./build/components/use-add-bundle.js";
import BundlePage, { action, loader } from "./build/routes/bundles.$id.js";

const { native } = await import(process.env.CONFIGURED_BUNDLES);

/** The calls of the cart and the result of the action, for a native bundle of two lines. */
async function added(existing, userErrors = []) {
  const calls = [];
  const record = (name) => async (given) => {
    calls.push([name, given.lines?.length ?? given.length]);
    return { cart: { id: "gid://shopify/Cart/1" }, userErrors };
  };
  const cart = {
    get: async () => existing,
    setCartId: (id) => new Headers({ "Set-Cookie": `cart=${id}` }),
    create: record("create"),
    updateAttributes: record("updateAttributes"),
    addLines: record("addLines"),
  };
  const request = new Request("https://shop.example/bundles/101", { method: "POST", body: JSON.stringify(native) });
  return { calls, ...(await action({ context: { cart }, request })) };
}

test("the modules export what a project uses", () => {
  assert.deepEqual([typeof BundlePage, typeof useAddBundle], ["function", "function"]);
});

test("the page has the settings of the service and the language of the request", async () => {
  const env = { PUBLIC_BUNDLES_URL: "https://bundles.example/api", PUBLIC_BUNDLES_KEY: "key" };
  const context = { env, storefront: { i18n: { country: "CH", language: "DE" } } };
  const expected = { baseUrl: "https://bundles.example/api", apiKey: "key", bundleId: 101, country: "CH", lang: "de" };
  assert.deepEqual(await loader({ context, params: { id: "101" } }), expected);
});

test("the first bundle makes a cart, whose id the shopper gets", async () => {
  const { calls, data, init } = await added(null);
  assert.deepEqual([calls, data], [[["create", 2]], []]);
  assert.equal(init.headers.get("Set-Cookie"), "cart=gid://shopify/Cart/1");
});

test("a cart gets the attributes before the lines", async () => {
  const { calls, data } = await added({ attributes: [{ key: "note", value: "x" }] });
  assert.deepEqual(
    [calls, data],
    [
      [
        ["updateAttributes", 2],
        ["addLines", 2],
      ],
      [],
    ],
  );
});

test("without its attributes, no line is added", async () => {
  const { calls, data } = await added({ attributes: [] }, [{ message: "Too long." }]);
  assert.deepEqual([calls, data], [[["updateAttributes", 1]], ["Too long."]]);
});
