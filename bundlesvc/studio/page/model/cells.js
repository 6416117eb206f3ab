/** The cells of a row by their columns, as products have them. */

import { COLUMNS } from "./columns.js";

/** @import { Column, Columns } from "./columns.js" */
/** @import { Row } from "./csv.js" */

/** @typedef {Readonly<Record<Column, string>>} Cells */

/** Characters that join letters and emoji, which numbers and addresses do not have. */
const JOINERS = /[\u200C\u200D]/g;

/** @type {ReadonlySet<Column>} */
const TEXTS = new Set(["title", "variant", "handle", "description"]);

/** @param {Row} row @param {Columns} columns @returns {Cells} */
export function cellsOf({ cells }, columns) {
  const made = /** @type {Record<Column, string>} */ ({});
  for (const column of COLUMNS) made[column] = plain(cells[columns[column]] ?? "", column);
  return made;
}

/** Names are in one line; only descriptions have several. @param {string} text @param {Column} column */
function plain(text, column) {
  if (!text) return text;
  const content = TEXTS.has(column) ? text : text.replace(JOINERS, "");
  return column === "description"
    ? content.replace(/[\v\f]/g, "\n").trim()
    : content.replace(/[\t\n\v\f]+/g, " ").trim();
}

/** A text as a paragraph of HTML; "" for none. @param {string} text */
export function paragraph(text) {
  if (!text) return "";
  return `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}
