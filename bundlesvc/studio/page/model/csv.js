/** Reading CSV (RFC 4180), as spreadsheets write it: with commas, semicolons or tabs. */

const SEPARATORS = [",", ";", "\t"];

/** Characters that nobody sees, which programs leave in cells. */
const UNSEEN = /[\u200B-\u200D\u2060\uFEFF]/g;

/** @typedef {{ line: number, cells: string[], isOpen?: boolean }} Row `isOpen`: a quotation mark in it is never closed, so that everything below is in it */

/**
 * The rows of a file, the first of which is usually the header. Empty lines are left out.
 *
 * @param {string} text
 * @returns {Row[]}
 */
export function readCsv(text) {
  const plain = text.replace(UNSEEN, "").replace(/\r\n?/g, "\n");
  const separator = separatorOf(plain);
  /** @type {Row[]} */
  const rows = [];
  let line = 1;
  /** @type {Row} */
  let row = { line, cells: [""] };
  let isQuoted = false;
  for (let place = 0; place < plain.length; place += 1) {
    const sign = /** @type {string} */ (plain[place]);
    const last = row.cells.length - 1;
    if (sign === "\n") line += 1;
    if (isQuoted) {
      if (sign !== '"') row.cells[last] += sign;
      else if (plain[place + 1] === '"') {
        row.cells[last] += '"';
        place += 1;
      } else isQuoted = false;
    } else if (sign === '"' && row.cells[last] === "") isQuoted = true;
    else if (sign === separator) row.cells.push("");
    else if (sign === "\n") {
      rows.push(row);
      row = { line, cells: [""] };
    } else row.cells[last] += sign;
  }
  if (isQuoted) row.isOpen = true;
  return [...rows, row].filter(({ cells }) => cells.some((cell) => cell.trim()));
}

/** The separator that the first line has most of, outside of quotation marks. @param {string} text */
function separatorOf(text) {
  const [first = ""] = text.replace(/"[^"]*"/g, "").split("\n", 1);
  const count = (/** @type {string} */ separator) => first.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}
