/** Creates products from the rows of a table. */

import { decimalMark, readAmount } from "./amounts.js";
import { cellsOf, htmlOf } from "./cells.js";
import { faultOf } from "./row-faults.js";
import { slug } from "../templates.js";

/** @import { OwnProduct } from "../../types.js" */
/** @import { Cells } from "./cells.js" */
/** @import { Columns } from "./columns.js" */
/** @import { Row, Table } from "./csv.js" */
/** @import { Found, Known, Shape } from "./row-faults.js" */

/** @typedef {OwnProduct & Record<string, unknown>} NewProduct */
/** @typedef {{ line: number, product: NewProduct }} Imported `line` is its first row's */
/** @typedef {Found & { line: number }} RowFault */
/** @typedef {{ currency: string, products: readonly OwnProduct[] }} Shop what new products must agree with */

/** The handle for a title without any letter or digit that an address can contain, such as a Persian title. */
const NO_HANDLE = "product";

/** The maximum number of characters before the part that makes a handle unique: the service accepts 255 in total. */
const LONGEST_BEGINNING = 240;

/**
 * The products in a table, and the reasons why the other rows cannot be used. Rows with the same title are variants of
 * one product. Rows without a title belong to the product with their handle.
 *
 * @param {Table} table
 * @param {Columns} columns
 * @param {Shop} shop
 * @param {number} firstId ids of products and variants are given from here on
 * @returns {{ products: Imported[], faults: RowFault[] }}
 */
export function productsOf(table, columns, shop, firstId) {
  /** @type {Map<string, { line: number, product: any }>} */
  const made = new Map();
  /** @type {RowFault[]} */
  const faults = [];
  const variants = new Map();
  const skus = skusOf(shop);
  const mark = decimalMark(table.rows.map((row) => row.cells[columns.price] ?? ""));
  /** @type {Known} */
  const known = { shape: shapeOf(table), columns, currency: shop.currency, mark, variants, skus };
  const titles = new Map();
  let id = firstId;
  for (const row of table.rows) {
    const own = cellsOf(row, columns);
    if (isPicture(own, titles)) continue;
    const cells = continued(own, titles);
    const fault = faultOf(row, cells, known);
    if (fault) {
      faults.push({ line: row.line, ...fault });
      continue;
    }
    const { title, variant, sku } = cells;
    if (!made.has(title)) {
      made.set(title, { line: row.line, product: productFrom(cells, id++) });
      variants.set(title, new Set());
    }
    made.get(title)?.product.variants.push(variantFrom(cells, id++, known));
    variants.get(title).add(variant);
    if (sku) skus.set(sku, row.line);
  }
  const handleFor = handles(shop);
  const products = [...made.values()].map(({ line, product }) => ({ line, product: completed(product, handleFor) }));
  return { products, faults };
}

/**
 * The cells of a row, with the title of the product that it continues: in exports of platforms, only the first row of a product
 * contains the title, and all rows contain the handle.
 *
 * @param {Cells} cells
 * @param {Map<string, string>} titles those of the handles that were read
 * @returns {Cells}
 */
function continued(cells, titles) {
  const { title, handle } = cells;
  if (title && handle) titles.set(handle, title);
  return title ? cells : { ...cells, title: titles.get(handle) ?? "" };
}

/**
 * Whether a row contains only another picture of a product from an earlier row, as in exports of platforms.
 *
 * @param {Cells} cells
 * @param {ReadonlyMap<string, string>} titles
 */
function isPicture({ title, handle, imageUrl, price, variant, sku }, titles) {
  return !title && titles.has(handle) && imageUrl !== "" && !price && !variant && !sku;
}

/** The SKUs that already exist in the shop. @param {Shop} shop @returns {Map<string, number | null>} */
function skusOf({ products }) {
  const skus = products.flatMap(({ variants = [] }) => variants.map(({ sku }) => sku ?? "").filter(Boolean));
  return new Map(skus.map((sku) => [sku, null]));
}

/** @param {Table} table @returns {Shape} */
function shapeOf({ header, separator }) {
  const names = header?.cells ?? [];
  return { separator, names: names.length, width: names.findLastIndex((name) => name.trim()) + 1 };
}

/** @param {Cells} cells @param {number} id */
function productFrom({ title, handle, imageUrl, description }, id) {
  return {
    id,
    title,
    handle: handle || slug(title) || NO_HANDLE,
    status: "ACTIVE",
    ...(imageUrl ? { imageUrl } : {}),
    ...(description ? { descriptionHtml: htmlOf(description) } : {}),
    variants: [],
  };
}

/** @param {Cells} cells @param {number} id @param {Known} known */
function variantFrom({ price, sku, grams, quantity, variant }, id, { currency, mark }) {
  const { amount } = /** @type {{ amount: string }} */ (readAmount(price, currency, mark));
  return {
    id,
    price: amount,
    ...(sku ? { sku } : {}),
    ...(grams ? { grams: Number(grams) } : {}),
    ...(quantity ? { inventoryTracked: true, inventoryQuantity: Number(quantity) } : {}),
    optionValues: [variant],
  };
}

/**
 * The product with a unique handle, and with the option in which its variants differ, if there are several variants.
 *
 * @param {any} product
 * @param {(wanted: string) => string} handleFor
 */
function completed(product, handleFor) {
  const own = { ...product, handle: handleFor(product.handle) };
  const names = product.variants.map((/** @type {any} */ { optionValues: [name] }) => name);
  if (names.length > 1 || names[0]) return { ...own, options: [{ name: "Variant", values: names }] };
  return { ...own, variants: product.variants.map((/** @type {any} */ { optionValues: _, ...others }) => others) };
}

/**
 * A function that returns each handle only once, and no handle that the shop already has: titles such as "Tea" and
 * "Tea!" lead to the same handle.
 *
 * @param {Shop} shop
 */
function handles({ products }) {
  const taken = new Set(products.map(({ handle }) => handle));
  const numbers = new Map();
  return (/** @type {string} */ wanted) => {
    const handle = taken.has(wanted) ? numbered(wanted, taken, numbers) : wanted;
    taken.add(handle);
    return handle;
  };
}

/**
 * The first free handle that begins with the wanted handle.
 *
 * @param {string} wanted
 * @param {ReadonlySet<unknown>} taken
 * @param {Map<string, number>} numbers the last one of each beginning
 */
function numbered(wanted, taken, numbers) {
  const beginning = [...wanted].slice(0, LONGEST_BEGINNING).join("");
  let number = (numbers.get(beginning) ?? 1) + 1;
  while (taken.has(`${beginning}-${number}`)) number += 1;
  numbers.set(beginning, number);
  return `${beginning}-${number}`;
}
