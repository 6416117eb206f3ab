/** The cells of a row by column, in the form in which products contain them. */

import { COLUMNS } from "./columns.js";

/** @import { Column, Columns } from "./columns.js" */
/** @import { Row } from "./csv.js" */

/** @typedef {Readonly<Record<Column, string>>} Cells */

/** Characters that join letters and emoji. Numbers and addresses do not contain them. */
const JOINERS = /[\u200C\u200D]/g;

/** The name of a product's only variant in exports of platforms. */
const ONLY_VARIANT = "Default Title";

/** Tags that occur in descriptions. */
const TAG = /<\/?(?:p|br|div|span|ul|ol|li|strong|em|b|i|u|a|h[1-6]|table|img)\b[^<>]*>/i;

/** @type {ReadonlySet<Column>} */
const TEXTS = new Set(["title", "variant", "handle", "description"]);

/** @param {Row} row @param {Columns} columns @returns {Cells} */
export function cellsOf({ cells }, columns) {
  const made = /** @type {Record<Column, string>} */ ({});
  for (const column of COLUMNS) made[column] = plain(cells[columns[column]] ?? "", column);
  return made.variant === ONLY_VARIANT ? { ...made, variant: "" } : made;
}

/** The text without line breaks, except in descriptions. @param {string} text @param {Column} column */
function plain(text, column) {
  if (!text) return text;
  const content = TEXTS.has(column) ? text : text.replace(JOINERS, "");
  return column === "description"
    ? content.replace(/[\v\f]/g, "\n").trim()
    : content.replace(/[\t\n\v\f]+/g, " ").trim();
}

/** A description as HTML, unchanged if it is empty or already HTML. @param {string} text */
export function htmlOf(text) {
  if (!text || TAG.test(text)) return text;
  return `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}
