/** The code in docs/client.md runs and does what the guide says. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./browser-globals.mjs";
import { NetworkError } from "../../bundlesvc/storefront/client/client.js";
import { readVectors } from "./selection-cases.mjs";

const STOREFRONT = new URL("../../bundlesvc/storefront/", import.meta.url);
const guide = readFileSync(new URL("../../docs/client.md", import.meta.url), "utf-8");

const code = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block).join("\n");
const placed = code.replaceAll("https://bundles.example/storefront/", STOREFRONT.href);
const recipes = await import(`data:text/javascript,${encodeURIComponent(placed)}`);
const {
  additions,
  configure,
  explain,
  finish,
  headOf,
  headOfList,
  load,
  quote,
  reopen,
  saved,
  share,
  shared,
  withoutBundle,
} = recipes;

const LINE = { id: 42, quantity: 1, properties: { _bundle_data: "7#9001#x" } };
const RESULT = {
  configured_bundle_id: 7,
  variant_id: "9001",
  pricing: { originalPrice: "47.98", discountedPrice: "43.18" },
  cart: { line_items: [LINE], attributes: { _bundles: '{"7":{"discount":"token"}}' } },
};

/** Starts a service with the shop of a vector; returns the list of its requests. */
function serve(context, vector, ...responses) {
  const own = globalThis.fetch;
  context.after(() => (globalThis.fetch = own));
  const requests = [];
  const settings = { ...vector.context, moneyFormat: "€{{amount}}" };
  const shown = {
    [`/bundles/${vector.bundle.id}`]: vector.bundle,
    [`/bundles/${vector.bundle.id}/products`]: { products: vector.products },
    "/settings": settings,
  };
  globalThis.fetch = async (address, { method, headers, body }) => {
    const path = new URL(address).pathname.replace("/api/headless/v1", "");
    requests.push({ method, path, key: headers.get("Idempotency-Key"), body: body && JSON.parse(body) });
    return path in shown ? Response.json(shown[path]) : responses.shift()();
  };
  return requests;
}

function vectorOf(name) {
  return readVectors().find((vector) => vector.name === name);
}

test("a page shows price, missing items and messages", async (context) => {
  const vector = vectorOf("conditions: a free mug");
  serve(context, vector);
  const loaded = await load(vector.bundle.id);
  assert.deepEqual(quote(loaded, vector.selection), {
    price: "€50.97",
    was: "€67.97",
    toDo: ["Choose at least 5 items for this section; now there are 0."],
    next: null,
    messages: ["Three."],
  });
});

test("a page shows prices in the shopper's currency", async (context) => {
  const vector = readVectors().find(({ name }) => name.endsWith("francs, a percentage, rounded once"));
  serve(context, vector);
  const { price, was } = quote(await load(vector.bundle.id, "CH"), vector.selection);
  assert.deepEqual([price, was], ["CHF\xa032.06", "CHF\xa035.62"]);
});

test("a page shows the next tier", async (context) => {
  const vector = vectorOf("tiers: two items: the first of equals");
  serve(context, vector);
  const { next } = quote(await load(vector.bundle.id), vector.selection);
  assert.equal(next, "32.02 more for 12.50");
});

test("configure works after two network failures", async (context) => {
  const vector = vectorOf("conditions: a free mug");
  const fail = () => Promise.reject(new TypeError("fetch failed"));
  const requests = serve(context, vector, fail, fail, () => Response.json(RESULT));
  const result = await configure(await load(vector.bundle.id), vector.selection);
  const tries = requests.slice(3);
  assert.deepEqual(result, RESULT);
  assert.equal(new Set(tries.map(({ key }) => key)).size, 1);
  assert.deepEqual(tries[0].body.bundleContent, { conditionsDiscount: { type: "percentage", value: "15.00" } });
  assert.equal(tries[0].body.expectedPrice, "50.97");
  assert.deepEqual(
    tries.map(({ body }) => body.products.length),
    [4, 4, 4],
  );
});

test("a page finishes a selection, or says why that is impossible", async (context) => {
  const vector = vectorOf("conditions: a free mug");
  const unit = { variant: "11", product: "1", section: 1 };
  const solution = {
    products: [unit],
    pricing: RESULT.pricing,
    added: [{ ...unit, quantity: 1 }],
    removed: [],
    reasons: [],
  };
  const reason = { code: "sold_out", message: "Tea is sold out.", rule: "" };
  const respond = (body) => () =>
    Response.json({ solutions: [], proven: true, bound: null, impossible: null, ...body });
  const requests = serve(context, vector, respond({ solutions: [solution] }), respond({ impossible: [reason] }));
  const loaded = await load(vector.bundle.id);
  const { added, price } = await finish(loaded, { items: [] }, { budget: "60.00" });
  assert.deepEqual([added.length, price], [1, "43.18"]);
  assert.deepEqual(await finish(loaded, { items: [] }), { reasons: ["Tea is sold out."] });
  assert.deepEqual(requests.at(-2).body, { products: [], aim: "nearest", budget: "60.00" });
});

test("a shopper gets a message for each kind of error", async (context) => {
  const vector = vectorOf("discounts: none");
  const refusal = (status, code, more) => () =>
    Response.json({ error: "No.", code, requestId: "r-1", ...more }, { status });
  const details = [{ path: "limitRules.0", code: "limit_not_met", message: "Choose two." }];
  serve(context, vector, refusal(400, "rules_not_met", { details }), refusal(500, "internal_error"));
  const loaded = await load(vector.bundle.id);
  const message = async () => configure(loaded, vector.selection).catch(explain);
  assert.equal(await message(), "Choose two.");
  assert.equal(await message(), "Something went wrong (internal_error, r-1).");
  assert.throws(() => explain(new RangeError("a fault of the page")), RangeError);
});

test("a page distinguishes a browser that is offline from a service that does not answer", (context) => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  context.after(() => (own ? Object.defineProperty(globalThis, "navigator", own) : delete globalThis.navigator));
  const explained = [true, false].map((onLine) => {
    Object.defineProperty(globalThis, "navigator", { value: { onLine }, configurable: true });
    return explain(new NetworkError("The service cannot be reached.", false));
  });
  assert.deepEqual(explained, ["This shop is not answering.", "You seem to be offline."]);
});

test("a bundle is added to the cart and removed", () => {
  const cart = { items: [], attributes: { _bundles: '{"3":{"discount":"other"}}', note: "" } };
  const sent = additions(cart, RESULT);
  assert.deepEqual(sent.items, [LINE]);
  assert.deepEqual(JSON.parse(sent.attributes._bundles), { 3: { discount: "other" }, 7: { discount: "token" } });
  assert.deepEqual(withoutBundle(sent, RESULT), cart);
});

test("a bundle in the cart is opened again", async (context) => {
  const vector = vectorOf("discounts: none");
  const selection = { products: [{ variant: "11", product: "1", section: 1 }], countryCode: null };
  const body = { bundleId: 42, selection, stillValid: true, pricingNow: RESULT.pricing, details: [] };
  const requests = serve(context, vector, () => Response.json(body));
  const opened = await reopen(LINE);
  assert.deepEqual(opened.selection.items, selection.products);
  assert.deepEqual([opened.bundleId, opened.price, opened.toDo], [42, "43.18", []]);
  assert.equal(requests[0].path, "/configured-bundles/7");
});

test("a selection is shared by a link", () => {
  const { selection } = vectorOf("conditions: a free mug");
  assert.deepEqual(shared(share("https://shop.example/box?a=1", selection)).items, selection.items);
  assert.equal(shared("https://shop.example/box"), null);
  assert.equal(shared("https://shop.example/box?selection=%00"), null);
});

test("a bundle is added to the Ajax cart, attributes first, and removed", async (context) => {
  const own = globalThis.fetch;
  context.after(() => (globalThis.fetch = own));
  const sent = [];
  globalThis.fetch = async (path, { body }) => {
    sent.push([path, JSON.parse(body)]);
    return Response.json({});
  };
  await recipes.addToAjaxCart({ items: [], attributes: { note: "x" } }, { result: RESULT });
  await recipes.takeFromAjaxCart({ items: [{ key: "a", ...LINE }], attributes: { _bundles: '{"7":{}}' } }, 7);
  assert.deepEqual(sent, [
    ["/cart/update.js", { attributes: { note: "x", _bundles: '{"7":{"discount":"token"}}' } }],
    ["/cart/add.js", { items: [LINE] }],
    ["/cart/update.js", { updates: { a: 0 }, attributes: { _bundles: "{}" } }],
  ]);
});

test("an item that the Ajax cart refuses is reported", async (context) => {
  const own = globalThis.fetch;
  context.after(() => (globalThis.fetch = own));
  globalThis.fetch = async () => Response.json({ description: "Sold out." }, { status: 422 });
  await assert.rejects(recipes.addToAjaxCart(null, { result: RESULT }), { message: "Sold out." });
});

test("a bundle is added to a cart of the Storefront API", () => {
  const { cartId, attributes } = recipes.addition(
    { id: "gid:1", attributes: [{ key: "note", value: "x" }] },
    { result: RESULT },
  );
  assert.equal(cartId, "gid:1");
  assert.deepEqual(attributes, [{ key: "note", value: "x" }, ...recipes.firstAddition({ result: RESULT }).attributes]);
});

test("the saving is exact", () => assert.equal(saved(RESULT.pricing), "4.80"));

test("a page's head has structured data that no name can break", async (context) => {
  const vector = vectorOf("conditions: a free mug");
  const settings = { ...vector.context, shop: { name: "A shop" } };
  const { id } = vector.bundle;
  const bundle = { ...vector.bundle, name: "</script>", products: vector.products, settings };
  const own = globalThis.fetch;
  context.after(() => (globalThis.fetch = own));
  globalThis.fetch = async (address) =>
    Response.json(new URL(address).pathname.endsWith("/bundles") ? [{ id, name: "Box", fromPrice: "42.75" }] : bundle);

  const [, text] = /^<script type="application\/ld\+json">(.*)<\/script>$/.exec(
    await headOf(id, "https://shop.example/box"),
  );
  assert.doesNotMatch(text, /</);
  assert.equal(JSON.parse(text).offers.lowPrice, "42.75");
  assert.match(
    headOfList([{ id, name: "Box" }], () => "https://shop.example/box"),
    /"ItemList"/,
  );
});
