/** The HTML that a server draws, including a shop's own HTML. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { bundleHtml, styles } from "../../bundlesvc/storefront/html/html.js";
import { ServerElement } from "../../bundlesvc/storefront/html/elements.js";

const texts = { addToCart: "Add", choose: "Choose", details: "Details" };
const settings = { currency: "EUR", moneyFormat: "€{{amount}}", activeFeatures: [], texts, locale: "en" };

function bundleOf(changes = {}, product = {}) {
  const variant = { platformVariantId: "11", title: "Default Title", price: "5.00", available: true, optionValues: [] };
  const box = {
    platformProductId: "1",
    title: "Tea",
    status: "ACTIVE",
    imageUrl: "",
    descriptionHtml: "",
    options: [],
  };
  const offered = [{ bundleItemId: 1, platformProductId: "1", variantIds: [] }];
  return {
    id: 1,
    name: "Box",
    locale: "en",
    templateCode: "default",
    type: "native",
    sections: [{ id: 1, name: "All", order: 0, products: offered }],
    requiredProducts: [],
    limitRules: [],
    conditionsEngineNodes: [],
    products: [{ ...box, variants: [variant], ...product }],
    settings,
    ...changes,
  };
}

const drawn = (bundle, options) => bundleHtml(bundle, options).split("</style>")[1];

test("the HTML is a template of the element", () => {
  const html = bundleHtml(bundleOf());
  assert.match(html, /^<template shadowrootmode="open"><style>:host \{/);
  assert.match(html, /<h2 part="name" class="name" tabindex="-1">Box<\/h2>/);
  assert.match(html, /<span part="now" class="now">€5\.00<\/span>/);
  assert.ok(html.endsWith("</template>"));
});

test("the same bundle gives the same HTML, however often it is drawn", () => {
  assert.equal(bundleHtml(bundleOf()), bundleHtml(bundleOf()));
});

test("drawing leaves nothing in the server's globals", () => {
  bundleHtml(bundleOf());
  assert.equal(globalThis.document, undefined);
  assert.equal(globalThis.customElements, undefined);
});

test("a style has the nonce of a policy, or the text of its hash", () => {
  assert.match(bundleHtml(bundleOf(), { nonce: 'r"4' }), /^<template shadowrootmode="open"><style nonce="r&quot;4">/);
  assert.equal(bundleHtml(bundleOf()).split(/<\/?style>/)[1], styles);
  assert.doesNotMatch(styles, /</);
});

test("texts and attributes are escaped", () => {
  const name = `<img src=x onerror="1">&amp;'`;
  const html = drawn(bundleOf({ name }, { title: name }));
  assert.ok(html.includes("&lt;img src=x onerror=&quot;1&quot;&gt;&amp;amp;'"));
  assert.doesNotMatch(html, /<img/);
});

test("images are relative to the API", () => {
  const baseUrl = "https://bundles.example/api/headless/v1";
  assert.match(drawn(bundleOf({ imageUrl: "/a.svg" }), { baseUrl }), / src="https:\/\/bundles\.example\/a\.svg"/);
  assert.doesNotMatch(drawn(bundleOf({ imageUrl: "/a.svg" })), / src=/);
});

test("an image that its server resizes has several widths", () => {
  const imageWidths = { origin: "https://images.example", parameter: "width" };
  const html = (imageUrl) => drawn(bundleOf({ imageUrl, settings: { ...settings, imageWidths } }));
  const widths = [160, 320, 640, 1280];
  const srcset = (base) => `srcset="${widths.map((width) => `${base}width=${width} ${width}w`).join()}"`;
  assert.ok(html("https://images.example/a.jpg").includes(srcset("https://images.example/a.jpg?")));
  assert.ok(html("https://images.example/a.jpg?v=1").includes(srcset("https://images.example/a.jpg?v=1&amp;")));
  assert.match(html("https://images.example/a.jpg"), / sizes="auto, 240px"/);
  for (const other of ["https://images.example.org/a.jpg", "https://shop.example/a.jpg"]) {
    assert.match(html(other), / src="/);
    assert.doesNotMatch(html(other), / (srcset|sizes)=/);
  }
});

test("a page with a header of its own gets none of the bundle", () => {
  assert.match(drawn(bundleOf(), { hasHeader: true }), /<div part="root" class="root"[^>]* data-headed>/);
});

test("a colour is only a colour", () => {
  const swatches = (color) => ({ S: { color, imageUrl: "" }, M: { color: "#FFF", imageUrl: "" } });
  const variant = (id, size) => ({
    platformVariantId: id,
    title: size,
    price: "5.00",
    available: true,
    optionValues: [size],
  });
  const html = (color) =>
    drawn(
      bundleOf(
        {},
        {
          options: [{ name: "Size", values: ["S", "M"], swatches: swatches(color) }],
          variants: [variant("11", "S"), variant("12", "M")],
        },
      ),
    );
  assert.match(html("#C02020"), / style="background-color: #C02020"/);
  for (const color of ["red; background: url(//evil.example)", 'red"', "red}", "\\72 ed"]) {
    assert.equal(html(color).match(/ style=/g).length, 1);
  }
});

/** The HTML that is written for a shop's HTML. */
function formatted(html) {
  const root = new ServerElement("div");
  root.setHTML(html);
  return root.outerHTML.slice("<div>".length, -"</div>".length);
}

for (const [html, written] of [
  ["A <b>bold</b> &amp; <em class=x onclick=y()>kind</em> word", "A <b>bold</b> &amp; <em>kind</em> word"],
  ["<p>One<p>Two<ul><li>a<li>b</ul>", "<p>One</p><p>Two</p><ul><li>a</li><li>b</li></ul>"],
  ["<ul><li>a<ul><li>b</li></ul></li></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"],
  ["1 < 2 > 0 & &nbsp;&#9731;&bogus", "1 &lt; 2 &gt; 0 &amp; &nbsp;&#9731;&amp;bogus"],
  ["a<br/>b<hr>c</br>", "a<br>b<hr>c"],
  ["<a href='https://shop.example/?a=1&amp;b=2'>x</a>", '<a href="https://shop.example/?a=1&amp;b=2">x</a>'],
  ["<a href=/help>x</a><a href='//evil.example'>y</a>", '<a href="/help">x</a><a>y</a>'],
  ["<a href=' javascript:alert(1)'>x</a><a href=data:text/html,x>y</a>", "<a>x</a><a>y</a>"],
  ["<a href='https://a.example'>x<a href='/b'>y", '<a href="https://a.example">x</a><a href="/b">y</a>'],
  ["x<script>alert('</b>')</script>y<style>p{}</style>z", "xyz"],
  ["x<script>alert(1)", "x"],
  ["<textarea><b></textarea><b>y</b>", "<b>y</b>"],
  ["<svg><title><script>1</script></title><b>x</b></svg>y", "y"],
  ["<form><input><form></form>a</form>b", "b"],
  ["<img src=x onerror=alert(1)>b<!-- <b> -->c", "bc"],
  ["<b title='>'>x</b>", "<b>x</b>"],
  ["<!doctype html><?php ?></ b>x<!-- <b> -->", "x"],
  ["</p></div>x", "x"],
  ["<b", "&lt;b"],
]) {
  test(`of ${html} remains ${written}`, () => assert.equal(formatted(html), written));
}

test("a long series of unclosed tags takes no time", () => {
  const before = performance.now();
  formatted("<a '".repeat(2000));
  formatted("<".repeat(20_000));
  assert.ok(performance.now() - before < 2000);
});
