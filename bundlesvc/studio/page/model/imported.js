/** Products made of the rows of a table. */

import { amountOf, decimalMark } from "./amounts.js";
import { slug } from "./templates.js";

/** @import { OwnProduct } from "../types.js" */
/** @import { DecimalMark } from "./amounts.js" */
/** @import { Row } from "./csv.js" */

/** @typedef {"title" | "price" | "variant" | "sku" | "quantity" | "grams" | "imageUrl" | "handle" | "description"} Column */
/** @typedef {Readonly<Record<Column, number>>} Columns the place of each column; -1 for none */
/** @typedef {{ line: number, code: "open-quote" | "no-title" | "no-price" | "which-price" | "no-quantity" | "no-grams" | "twice", cell: string }} RowFault */
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
  const mark = decimalMark(rows.map((row) => row.cells[columns.price] ?? ""));
  let id = firstId;
  for (const row of rows) {
    const cell = (/** @type {Column} */ column) => (row.cells[columns[column]] ?? "").trim();
    const fault = faultOf(row, cell, products.get(cell("title")), mark);
    if (fault) {
      faults.push(fault);
      continue;
    }
    const product = products.get(cell("title")) ?? productFrom(cell, id++);
    product.variants.push(variantFrom(cell, id++, mark));
    products.set(product.title, product);
  }
  return { products: withOwnHandles([...products.values()].map(completed)), faults };
}

/**
 * @param {Row} row
 * @param {(column: Column) => string} cell
 * @param {any} product the product of the same title so far
 * @param {DecimalMark} mark
 * @returns {RowFault | null}
 */
function faultOf({ line, isOpen }, cell, product, mark) {
  if (isOpen) return { line, code: "open-quote", cell: "" };
  if (!cell("title")) return { line, code: "no-title", cell: "" };
  if (amountOf(cell("price"), mark) === null) {
    const isUnclear = amountOf(cell("price"), ".") !== amountOf(cell("price"), ",");
    return { line, code: isUnclear ? "which-price" : "no-price", cell: cell("price") };
  }
  if (!isWhole(cell("quantity"))) return { line, code: "no-quantity", cell: cell("quantity") };
  if (!isWhole(cell("grams"))) return { line, code: "no-grams", cell: cell("grams") };
  const names = /** @type {any[] | undefined} */ (product?.variants)?.map(({ optionValues: [name] }) => name);
  return names?.includes(cell("variant")) ? { line, code: "twice", cell: cell("variant") || cell("title") } : null;
}

/** Whether a cell is empty or a whole number. @param {string} text */
function isWhole(text) {
  return /^\d{0,12}$/.test(text);
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

/** @param {(column: Column) => string} cell @param {number} id @param {DecimalMark} mark */
function variantFrom(cell, id, mark) {
  const quantity = cell("quantity");
  const sku = cell("sku");
  return {
    id,
    price: amountOf(cell("price"), mark),
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

/** The products with handles that differ: titles such as "Tea" and "Tea!" would have the same. @param {NewProduct[]} products */
function withOwnHandles(products) {
  const taken = new Set();
  return products.map((product) => {
    const wanted = String(product.handle);
    let handle = wanted;
    for (let number = 2; taken.has(handle); number += 1) handle = `${wanted}-${number}`;
    taken.add(handle);
    return { ...product, handle };
  });
}
