/** Prints a TypeScript module with the structured data of every shop in tests/vectors/selections.json, typed as schema.org defines it. */

import { bundleData, dataText, listData } from "../../bundlesvc/storefront/structured-data/structured-data.js";
import { readVectors } from "./selection-cases.mjs";

const shop = { name: "A shop" };
const url = "https://shop.example/box";
const all = new Set();

function soldOut(product) {
  return { ...product, variants: product.variants.map((variant) => ({ ...variant, available: false })) };
}

for (const { bundle, products, context } of readVectors()) {
  const settings = { currency: context.currency, shop };
  const own = { description: "", imageUrl: "", ...bundle, products, settings };
  for (const [shown, fromPrice] of [
    [own, "42.75"],
    [own, null],
    [{ ...own, products: products.map(soldOut) }, null],
  ]) {
    all.add(dataText(bundleData(shown, { url, fromPrice, countryCode: context.country, baseUrl: url })));
  }
}

const list = listData([{ id: 1, name: "Box" }], ({ id }) => `${url}/${id}`);
const lines = [...all].map((text) => `  ${text},`);
process.stdout.write(`import type { ItemList, Product, WithContext } from "schema-dts";

export const bundles: WithContext<Product>[] = [
${lines.join("\n")}
];
export const list: WithContext<ItemList> = ${dataText(list)};
`);
