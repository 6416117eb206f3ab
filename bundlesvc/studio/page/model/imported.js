/** Products made of the rows of a table. */

import { slug } from "./templates.js";

/** @import { OwnProduct } from "../types.js" */
/** @import { Row } from "./csv.js" */

/** @typedef {"title" | "price" | "variant" | "sku" | "quantity" | "grams" | "imageUrl" | "handle" | "description"} Column */
/** @typedef {Readonly<Record<Column, number>>} Columns the place of each column; -1 for none */
/** @typedef {{ line: number, code: "no-title" | "no-price" | "no-quantity" | "no-grams" | "twice", cell: string }} RowFault */
/** @typedef {OwnProduct & Record<string, unknown>} NewProduct */

export const COLUMNS = /** @type {const} */ ([
  "title",
  "price",
  "variant",
  "sku",
  "quantity",
  "grams",
  "imageUrl",
  "handle",
  "description",
]);

/** What spreadsheets call these columns. */
const NAMES = {
  title: /^(title|name|product|titel|artikel|bezeichnung|produkt)$/i,
  price: /price|preis/i,
  variant: /variant|option ?1 ?value|gr(ö|oe)(ß|ss)e|size|farbe|colou?r/i,
  sku: /sku|artikelnummer|item ?n/i,
  quantity: /quantity|stock|inventory|qty|bestand|menge/i,
  grams: /gram|weight|gewicht/i,
  imageUrl: /image|picture|bild|foto|photo/i,
  handle: /handle|slug/i,
  description: /description|body|beschreibung/i,
};

/** The columns that the names in a header suggest. @param {readonly string[]} header @returns {Record<Column, number>} */
export function suggested(header) {
  const taken = new Set();
  const find = (/** @type {Column} */ column) => {
    const place = header.findIndex((name, at) => !taken.has(at) && NAMES[column].test(name.trim()));
    taken.add(place);
    return [column, place];
  };
  return Object.fromEntries(COLUMNS.map(find));
}

/**
 * The products in some rows, and why the other rows are none. Rows with the same title are variants of one product.
 *
 * @param {readonly Row[]} rows
 * @param {Columns} columns
 * @param {number} firstId ids of products and variants are given from here on
 * @returns {{ products: NewProduct[], faults: RowFault[] }}
 */
export function productsOf(rows, columns, firstId) {
  /** @type {Map<string, any>} */
  const products = new Map();
  /** @type {RowFault[]} */
  const faults = [];
  let id = firstId;
  for (const row of rows) {
    const cell = (/** @type {Column} */ column) => (row.cells[columns[column]] ?? "").trim();
    const fault = faultOf(row.line, cell, products.get(cell("title")));
    if (fault) {
      faults.push(fault);
      continue;
    }
    const product = products.get(cell("title")) ?? productFrom(cell, id++);
    product.variants.push(variantFrom(cell, id++));
    products.set(product.title, product);
  }
  return { products: [...products.values()].map(completed), faults };
}

/**
 * @param {number} line
 * @param {(column: Column) => string} cell
 * @param {any} product the product of the same title so far
 * @returns {RowFault | null}
 */
function faultOf(line, cell, product) {
  if (!cell("title")) return { line, code: "no-title", cell: "" };
  if (amountOf(cell("price")) === null) return { line, code: "no-price", cell: cell("price") };
  if (!isWhole(cell("quantity"))) return { line, code: "no-quantity", cell: cell("quantity") };
  if (!isWhole(cell("grams"))) return { line, code: "no-grams", cell: cell("grams") };
  const names = /** @type {any[] | undefined} */ (product?.variants)?.map(({ optionValues: [name] }) => name);
  return names?.includes(cell("variant")) ? { line, code: "twice", cell: cell("variant") || cell("title") } : null;
}

/** Whether a cell is empty or a whole number. @param {string} text */
function isWhole(text) {
  return /^\d{0,12}$/.test(text);
}

/** An amount such as "12", "1,234.50" or "1.234,50 €"; null when it is none. @param {string} text */
export function amountOf(text) {
  const plain = text.replace(/[^\d.,-]/g, "");
  const decimals = /[.,](\d{1,2})$/.exec(plain)?.[1] ?? "";
  const whole = plain.slice(0, plain.length - (decimals ? decimals.length + 1 : 0));
  if (!/^\d{1,3}([.,]?\d{3})*$|^\d+$/.test(whole)) return null;
  return `${Number(whole.replace(/[.,]/g, ""))}.${decimals.padEnd(2, "0")}`;
}

/** @param {(column: Column) => string} cell @param {number} id */
function productFrom(cell, id) {
  const title = cell("title");
  const imageUrl = cell("imageUrl");
  const description = cell("description");
  return {
    id,
    title,
    handle: cell("handle") || slug(title),
    status: "ACTIVE",
    ...(imageUrl ? { imageUrl } : {}),
    ...(description ? { descriptionHtml: paragraph(description) } : {}),
    variants: [],
  };
}

/** A text as a paragraph of HTML. @param {string} text */
function paragraph(text) {
  const node = document.createElement("p");
  node.textContent = text;
  return node.outerHTML;
}

/** @param {(column: Column) => string} cell @param {number} id */
function variantFrom(cell, id) {
  const quantity = cell("quantity");
  const sku = cell("sku");
  return {
    id,
    price: amountOf(cell("price")),
    ...(sku ? { sku } : {}),
    ...(cell("grams") ? { grams: Number(cell("grams")) } : {}),
    ...(quantity ? { inventoryTracked: true, inventoryQuantity: Number(quantity) } : {}),
    optionValues: [cell("variant")],
  };
}

/** The product with the option that its variants differ in, if there are several. @param {any} product */
function completed(product) {
  const names = product.variants.map((/** @type {any} */ { optionValues: [name] }) => name);
  if (names.length === 1 && !names[0]) {
    return { ...product, variants: product.variants.map((/** @type {any} */ { optionValues: _, ...own }) => own) };
  }
  return { ...product, options: [{ name: "Variant", values: names }] };
}
