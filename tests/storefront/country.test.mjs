/** A cart's bundles are configured again when its country changes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { moveInAjaxCart, moveInStorefrontCart } from "../../bundlesvc/storefront/cart/cart.js";
import { configureForCountry, createClient } from "../../bundlesvc/storefront/client/client.js";
import { CartCountry } from "../../bundlesvc/storefront/component/cart-country.js";
import { native } from "./configured-bundles.mjs";
import { json, refusal, serving } from "./scripted-server.mjs";

const UNIQUE = "0123456789abcdef0123456789abcdef";
const ITEMS = [
  { properties: { _bundle_data: `7#9001#${UNIQUE}` } },
  { properties: { Name: "Mira" } },
  { properties: null },
  {},
];
const PRODUCTS = [{ variant: "11", product: "1", section: 1 }];

const configured = (selection = {}) =>
  json(200, {
    configuredBundleId: 7,
    bundleId: 42,
    type: "native",
    selection: { products: PRODUCTS, countryCode: "DE", ...selection },
  });

const moving = (responses, country, options) =>
  serving(responses, async ({ baseUrl, requests }) => {
    const client = createClient({ baseUrl, apiKey: "bnd_live_x", retries: 0 });
    return { change: await configureForCountry(client, ITEMS, country, options), requests };
  });

test("a bundle of another country is configured again, for this one", async () => {
  const { change, requests } = await moving([configured(), json(200, native.result)], "CH");
  assert.deepEqual(change.kept, []);
  assert.deepEqual(change.moved, [
    { configuredBundleId: 7, bundleId: 42, result: native.result, selection: { items: PRODUCTS } },
  ]);
  const [read, configure] = requests;
  assert.equal(read.url, `/api/headless/v1/configured-bundles/7?unique=${UNIQUE}`);
  assert.equal(configure.url, "/api/headless/v1/bundles/42/configure");
  assert.deepEqual(JSON.parse(configure.body), { type: "native", products: PRODUCTS, countryCode: "CH" });
});

test("a repetition uses the same idempotency key, and another country another one", async () => {
  const keys = [];
  for (const country of ["CH", "CH", null]) {
    const { requests } = await moving([configured(), json(200, native.result)], country);
    keys.push(requests[1].headers["idempotency-key"]);
  }
  assert.deepEqual(keys, [`country-${UNIQUE}-CH`, `country-${UNIQUE}-CH`, `country-${UNIQUE}-none`]);
});

test("a key for pages uses the embed API", async () => {
  const { requests } = await moving([configured(), json(200, native.result)], "CH", { api: "embed" });
  assert.equal(requests[1].url, "/api/headless/v1/embed/api/v1/bundle/42/product");
});

test("a bundle of this country stays as it is", async () => {
  const { change, requests } = await moving([configured()], "DE");
  assert.deepEqual(change, { moved: [], kept: [] });
  assert.equal(requests.length, 1);
});

test("without a country the bundle is configured at the shop's own prices", async () => {
  const { requests } = await moving([configured(), json(200, native.result)], null);
  assert.equal("countryCode" in JSON.parse(requests[1].body), false);
});

test("a bundle that is refused there is kept, with the reason", async () => {
  const { change } = await moving([configured(), refusal(400, "rules_not_met")], "CH");
  assert.deepEqual(change.moved, []);
  assert.equal(change.kept[0].configuredBundleId, 7);
  assert.equal(change.kept[0].error.code, "rules_not_met");
});

test("a subscription needs the shopper's address", async () => {
  const subscription = { id: 5, frequency: 1, unit: "month" };
  const without = await moving([configured({ subscription })], "CH");
  assert.match(String(without.change.kept[0].error), /needs the option `email`/);
  const { requests } = await moving([configured({ subscription }), json(200, native.result)], "CH", {
    email: "mira@mail.example",
  });
  assert.deepEqual(JSON.parse(requests[1].body).subscription, { ...subscription, email: "mira@mail.example" });
});

test("an aborted change rejects", async () => {
  const signal = AbortSignal.abort(new Error("The page was left."));
  await assert.rejects(moving([configured()], "CH", { signal }), /The page was left/);
});

test("a cart without bundles sends nothing", async () => {
  const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "k" });
  assert.deepEqual(await configureForCountry(client, [{ properties: {} }], "CH"), { moved: [], kept: [] });
});

const MOVED = { configuredBundleId: 3, bundleId: 42, result: native.result, selection: { items: PRODUCTS } };
const OLD = `3#9001#${UNIQUE}`;

test("Ajax cart: the old lines and entry are removed, the new ones added", () => {
  const cart = {
    items: [
      { key: "a:1", properties: { _bundle_data: OLD } },
      { key: "b:2", properties: {} },
    ],
    attributes: { note: "x", _bundles: '{"3":{"discount":"old"}}' },
  };
  const { update, add } = moveInAjaxCart(cart, MOVED);
  assert.deepEqual(update.updates, { "a:1": 0 });
  assert.deepEqual(JSON.parse(update.attributes._bundles), { 7: { configuredBundleId: 7, discount: "token" } });
  assert.equal(update.attributes.note, "x");
  assert.deepEqual(
    add.items.map(({ id }) => id),
    [11, 90],
  );
});

test("Storefront API: the old lines and entry are removed, the new ones added", () => {
  const cart = {
    lines: {
      nodes: [
        { id: "gid://line/1", attributes: [{ key: "_bundle_data", value: OLD }] },
        { id: "gid://line/2", attributes: [] },
      ],
    },
    attributes: [{ key: "_bundles", value: '{"3":{"discount":"old"}}' }],
  };
  const { lineIds, lines, attributes } = moveInStorefrontCart(cart, MOVED);
  assert.deepEqual(lineIds, ["gid://line/1"]);
  assert.deepEqual(
    lines.map(({ merchandiseId }) => merchandiseId),
    ["gid://shopify/ProductVariant/11", "gid://shopify/ProductVariant/90"],
  );
  assert.deepEqual(attributes, [{ key: "_bundles", value: '{"7":{"configuredBundleId":7,"discount":"token"}}' }]);
});

test("a bundle that the page has not replaced yet is reported once for a country", async () => {
  const answers = [configured(), json(200, native.result)];
  await serving([...answers, ...answers, ...answers], async ({ baseUrl }) => {
    const client = createClient({ baseUrl, apiKey: "bnd_live_x", retries: 0 });
    const reported = [];
    const cart = new CartCountry(({ moved }) =>
      reported.push(moved.map(({ configuredBundleId }) => configuredBundleId)),
    );
    await cart.follow(client, ITEMS, "CH");
    await cart.follow(client, ITEMS, "CH");
    assert.deepEqual(reported, [[7]]);
    await cart.follow(client, ITEMS, "US");
    assert.deepEqual(reported, [[7], [7]]);
  });
});
