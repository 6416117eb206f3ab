/** Reads CSV (RFC 4180) as written by spreadsheets, with cells separated by commas, semicolons, tabs or bars. */

const SEPARATORS = [",", ";", "\t", "|"];

/** Excel's first line that names the separator: "sep=;". */
const NAMED_SEPARATOR = /^"?sep=([^\n"])"?[,;\t|]*(?:\n|$)/i;

/**
 * Invisible characters that programs leave in cells. Joiners are not included, because Persian text and emoji need
 * them.
 */
const UNSEEN = /[\u200B\u2060\uFEFF]/g;

/** @typedef {"open-quote" | "stray-quote"} QuoteFault */
/** @typedef {{ line: number, cells: string[], fault?: QuoteFault }} Row `line` is the one of the fault, where there is one */
/** @typedef {{ separator: string, header: Row | undefined, rows: Row[] }} Table */
/** @typedef {{ text: string, next: number, fault?: QuoteFault }} Cell `next` is the place behind it */

/**
 * The table in a text, without empty lines. It ends at a row with a quotation mark that is never closed, or that is closed by the
 * opening mark of a later cell: after that, it is unknown where rows begin.
 *
 * @param {string} text
 * @returns {Table}
 */
export function readCsv(text) {
  const plain = text.replace(UNSEEN, "").replace(/\r\n?/g, "\n");
  const [first = "", named] = NAMED_SEPARATOR.exec(plain) ?? [];
  const separator = named ?? separatorOf(plain);
  const [header, ...rows] = rowsOf(plain, first.length, separator);
  return { separator, header, rows };
}

/** The separator that occurs most in the first line, outside quotation marks. @param {string} text */
function separatorOf(text) {
  const [first = ""] = text.replace(/^\n+|"[^"]*"/g, "").split("\n", 1);
  const count = (/** @type {string} */ separator) => first.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * @param {string} text
 * @param {number} start
 * @param {string} separator
 */
function rowsOf(text, start, separator) {
  const cellAt = cellReader(text, separator);
  /** @type {Row[]} */
  const rows = [];
  let line = start ? 2 : 1;
  /** @type {Row} */
  let row = { line, cells: [] };
  for (let place = start; place <= text.length; ) {
    const cell = cellAt(place);
    row.cells.push(cell.text);
    if (cell.fault && !row.fault) Object.assign(row, { fault: cell.fault, line });
    if (row.fault === "open-quote") return [...rows, row];
    line += breaksIn(cell.text);
    const isLast = text[cell.next] !== separator;
    if (isLast) {
      if (row.fault || row.cells.some((each) => each.trim())) rows.push(row);
      line += 1;
      row = { line, cells: [] };
    }
    place = cell.next + 1;
  }
  return rows;
}

/**
 * A function that reads the cell at a place.
 *
 * @param {string} text
 * @param {string} separator
 * @returns {(place: number) => Cell}
 */
function cellReader(text, separator) {
  const end = new RegExp(`[\\n${separator.replace(/[\\\]^-]/g, "\\$&")}]`, "g");
  const quote = new RegExp(`${separator === "\t" ? " *" : "[ \\t]*"}"`, "y");
  const endAfter = (/** @type {number} */ place) => {
    end.lastIndex = place;
    return end.exec(text)?.index ?? text.length;
  };
  return (place) => {
    quote.lastIndex = place;
    if (quote.test(text)) return quotedCell(text, quote.lastIndex, endAfter);
    const next = endAfter(place);
    return { text: text.slice(place, next), next };
  };
}

/**
 * A cell in quotation marks. Text between the closing mark and the end of the cell is a fault. If the cell has several
 * lines, the closing mark was probably meant to open another cell.
 *
 * @param {string} text
 * @param {number} start
 * @param {(place: number) => number} endAfter
 * @returns {Cell}
 */
function quotedCell(text, start, endAfter) {
  const close = closingQuote(text, start);
  if (close === -1) return { text: "", next: text.length, fault: "open-quote" };
  const content = text.slice(start, close).replaceAll('""', '"');
  const next = endAfter(close + 1);
  const rest = text.slice(close + 1, next).trim();
  if (!rest) return { text: content, next };
  return { text: content + rest, next, fault: breaksIn(content) ? "open-quote" : "stray-quote" };
}

/**
 * The place of the closing quotation mark, which is not doubled; -1 when there is none.
 *
 * @param {string} text
 * @param {number} start
 */
function closingQuote(text, start) {
  let place = text.indexOf('"', start);
  while (place !== -1 && text[place + 1] === '"') place = text.indexOf('"', place + 2);
  return place;
}

/** The number of line breaks. @param {string} text */
function breaksIn(text) {
  let count = 0;
  for (let place = text.indexOf("\n"); place !== -1; place = text.indexOf("\n", place + 1)) count += 1;
  return count;
}
