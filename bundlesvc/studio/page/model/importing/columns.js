/** Finds the meaning of the columns of a table. */

/** @typedef {"title" | "price" | "variant" | "sku" | "quantity" | "grams" | "imageUrl" | "handle" | "description"} Column */
/** @typedef {Readonly<Record<Column, number>>} Columns the place of each column; -1 for none */

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

/** The columns that every product needs. */
const NEEDED = /** @type {const} */ (["title", "price"]);

/** The names of the columns in spreadsheets. */
const NAMES = {
  title: /^(title|name|product|titel|artikel|bezeichnung|produkt)$/i,
  price: /^(variant )?(price|preis)$/i,
  variant: /^(variant|variante|option ?1 ?value|size|gr(ö|oe)(ß|ss)e|colou?r|farbe)$/i,
  sku: /^(variant )?(sku|artikelnummer)$/i,
  quantity: /^(quantity|stock|inventory|qty|bestand|menge|variant inventory qty)$/i,
  grams: /^(variant )?(grams?|gramm|weight|gewicht)( \(g\))?$/i,
  imageUrl: /^(image|picture|bild|foto|photo)( ?(src|url))?$/i,
  handle: /^(handle|slug)$/i,
  description: /^(description|beschreibung|body( \(html\))?)$/i,
};

/**
 * Parts of such names. Columns with previous prices, purchase prices and prices per weight are excluded, because
 * shoppers do not pay these prices.
 */
const PARTS = {
  title: NAMES.title,
  price:
    /^(?!.*(compare|former|\bold\b|before|msrp|rrp|purchase|vergleich|streich|\balt|uvp|statt|einkauf|grund)).*(price|preis)/i,
  variant: /variant|option ?1 ?value|gr(ö|oe)(ß|ss)e|size|farbe|colou?r/i,
  sku: /sku|artikelnummer|item ?n/i,
  quantity: /quantity|stock|inventory|qty|bestand|menge/i,
  grams: /gram|weight|gewicht/i,
  imageUrl: /image|picture|bild|foto|photo/i,
  handle: /handle|slug/i,
  description: /description|body|beschreibung/i,
};

/**
 * The columns that the names in a header suggest; exact names are preferred.
 *
 * @param {readonly string[]} header
 * @returns {Record<Column, number>}
 */
export function suggested(header) {
  const found = /** @type {Record<Column, number>} */ (Object.fromEntries(COLUMNS.map((column) => [column, -1])));
  const taken = new Set();
  for (const names of [NAMES, PARTS]) {
    for (const column of COLUMNS) {
      if (found[column] !== -1) continue;
      found[column] = header.findIndex((name, at) => !taken.has(at) && names[column].test(name.trim()));
      taken.add(found[column]);
    }
  }
  return found;
}

/** A required column that is not chosen. @param {Columns} columns */
export function missingColumn(columns) {
  return NEEDED.find((column) => columns[column] === -1);
}
