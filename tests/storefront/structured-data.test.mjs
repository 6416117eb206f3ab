/** The structured data that search engines read about a bundle. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { bundleData, dataText, listData } from "../../bundlesvc/storefront/structured-data/structured-data.js";

const URL_OF_PAGE = "https://shop.example/box";
const IN_STOCK = "https://schema.org/InStock";
const SOLD_OUT = "https://schema.org/OutOfStock";

function variant(id, price, more = {}) {
  return { platformVariantId: id, title: id, price, sku: "", available: true, ...more };
}

function product(id, variants, more = {}) {
  return { platformProductId: id, title: `Product ${id}`, imageUrl: "", status: "ACTIVE", variants, ...more };
}

/** A bundle that offers all its products in one section. */
function bundleOf(products, more = {}) {
  const offered = products.map(({ platformProductId }) => ({ platformProductId, variantIds: [] }));
  return {
    id: 101,
    name: "Box",
    description: "Six of them.",
    imageUrl: "/storefront/box.svg",
    sections: [{ products: offered }],
    requiredProducts: [],
    products,
    settings: { currency: "EUR", shop: { name: "A shop" } },
    ...more,
  };
}

const tea = product("1", [variant("11", "10.00"), variant("12", "9.50")]);
const cup = product("2", [variant("21", "7.00", { sku: "CUP" })], { imageUrl: "https://images.example/cup.png" });
const gone = product("3", [variant("31", "4.00", { available: false })]);

const dataOf = (bundle, options = {}) => bundleData(bundle, { url: URL_OF_PAGE, ...options });
const availabilityOf = (bundle, options) => dataOf(bundle, options).offers.availability;

test("a bundle is a product with its from-price and its products", () => {
  const baseUrl = "https://bundles.example/api/headless/v1";
  assert.deepEqual(dataOf(bundleOf([tea, cup]), { fromPrice: "42.75", baseUrl, countryCode: "DE" }), {
    "@context": "https://schema.org",
    "@type": "Product",
    "@id": `${URL_OF_PAGE}#bundle-101`,
    productID: "101",
    name: "Box",
    description: "Six of them.",
    image: "https://bundles.example/storefront/box.svg",
    url: URL_OF_PAGE,
    offers: {
      "@type": "AggregateOffer",
      url: URL_OF_PAGE,
      priceCurrency: "EUR",
      lowPrice: "42.75",
      availability: IN_STOCK,
      eligibleRegion: "DE",
      seller: { "@type": "Organization", name: "A shop" },
    },
    isRelatedTo: [
      {
        "@type": "Product",
        "@id": `${URL_OF_PAGE}#product-1`,
        productID: "1",
        name: "Product 1",
        offers: {
          "@type": "AggregateOffer",
          lowPrice: "9.50",
          highPrice: "10.00",
          offerCount: 2,
          priceCurrency: "EUR",
          availability: IN_STOCK,
        },
      },
      {
        "@type": "Product",
        "@id": `${URL_OF_PAGE}#product-2`,
        productID: "2",
        sku: "CUP",
        name: "Product 2",
        image: "https://images.example/cup.png",
        offers: { "@type": "Offer", price: "7.00", priceCurrency: "EUR", availability: IN_STOCK },
      },
    ],
  });
});

test("without a from-price nothing is said of the price or of whether the bundle can be bought", () => {
  const { offers } = dataOf(bundleOf([tea]));
  assert.deepEqual(Object.keys(offers), ["@type", "url", "priceCurrency", "seller"]);
});

const required = (id) => ({ platformProductId: id, variantIds: [], quantity: 2 });
const AVAILABILITIES = [
  ["something is on sale, and there is a price", bundleOf([tea, gone]), "5.00", IN_STOCK],
  ["nothing is on sale", bundleOf([gone]), null, SOLD_OUT],
  ["nothing is on sale, and the price is outdated", bundleOf([gone]), "5.00", SOLD_OUT],
  ["a required product is sold out", bundleOf([tea, gone], { requiredProducts: [required("3")] }), "5.00", SOLD_OUT],
  ["a required product is missing", bundleOf([tea], { requiredProducts: [required("9")] }), "5.00", SOLD_OUT],
  [
    "the country does not sell it",
    bundleOf([product("4", [variant("41", "1.00", { availableForSale: false })])]),
    null,
    SOLD_OUT,
  ],
];

for (const [name, bundle, fromPrice, expected] of AVAILABILITIES) {
  test(`availability: ${name}`, () => assert.equal(availabilityOf(bundle, { fromPrice }), expected));
}

test("required products are included in the offer, with their number", () => {
  const { offers } = dataOf(bundleOf([tea, cup], { requiredProducts: [required("2")] }), { fromPrice: "1.00" });
  assert.deepEqual(offers.includesObject, [
    { "@type": "TypeAndQuantityNode", amountOfThisGood: 2, typeOfGood: { "@id": `${URL_OF_PAGE}#product-2` } },
  ]);
});

test("only the variants that the bundle allows count", () => {
  const sections = [{ products: [{ platformProductId: "1", variantIds: ["11"] }] }];
  const [part] = dataOf(bundleOf([tea], { sections })).isRelatedTo;
  assert.equal(part.offers.price, "10.00");
});

test("products that are not active are left out", () => {
  assert.deepEqual(dataOf(bundleOf([product("5", [variant("51", "1.00")], { status: "DRAFT" })])).isRelatedTo, []);
});

test("prices of products are those of the country's market", () => {
  const swiss = { presentmentPrice: "9.90", presentmentCurrency: "CHF", priceInShopCurrency: "10.10" };
  const [part] = dataOf(bundleOf([product("6", [variant("61", "10.00", swiss)])])).isRelatedTo;
  assert.deepEqual([part.offers.price, part.offers.priceCurrency], ["9.90", "CHF"]);
});

test("a from-price of a market has the market's currency", () => {
  const { offers } = dataOf(bundleOf([tea]), { fromPrice: "41", currency: "CHF" });
  assert.deepEqual([offers.lowPrice, offers.priceCurrency], ["41", "CHF"]);
});

for (const imageUrl of ["javascript:alert(1)", "data:image/png;base64,AA", "http://[", ""]) {
  test(`no image: ${imageUrl || "empty"}`, () => {
    assert.equal("image" in dataOf(bundleOf([tea], { imageUrl })), false);
  });
}

test("a list names each bundle's page in order", () => {
  const bundles = [bundleOf([]), bundleOf([], { id: 7, name: "Other" })];
  const { numberOfItems, itemListElement } = listData(bundles, ({ id }) => `https://shop.example/${id}`);
  assert.equal(numberOfItems, 2);
  assert.deepEqual(
    itemListElement.map(({ position, name, url }) => [position, name, url]),
    [
      [1, "Box", "https://shop.example/101"],
      [2, "Other", "https://shop.example/7"],
    ],
  );
});

test("text cannot end the script that it is in", () => {
  const name = "</script><script>alert(1)</script><!--";
  const text = dataText(dataOf(bundleOf([tea], { name })));
  assert.doesNotMatch(text, /</);
  assert.equal(JSON.parse(text).name, name);
});
