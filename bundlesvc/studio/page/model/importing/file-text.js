/** The text of a file written by a spreadsheet, in any of the encodings that spreadsheets use. */

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** The first bytes of workbooks: ZIP archives (xlsx, ods), and Excel's older format. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** The beginning of files that are text, but not a table: PDF, and web pages. */
const DOCUMENT = /^(?:%PDF|\s{0,99}<(?:!doctype|\?xml|html|table)\b)/i;

/** Control characters that do not belong in text. A file is still text if they are at most one percent of it. */
const CONTROL = /(?![\t\n\v\f\r\x7f-\x9f])\p{Cc}/gu;
const LOOKED_AT = 100_000;

/** Maximum size of a file in megabytes. A larger one would make the page stop responding. */
export const MAX_MEGABYTES = 20;

/** @typedef {{ text: string, fault?: undefined } | { fault: "workbook" | "no-text" | "too-large" }} FileText */

/**
 * Reads the text of a file, unless it is too large.
 *
 * @param {Blob} file
 * @returns {Promise<FileText>}
 */
export async function readFile(file) {
  if (file.size > MAX_MEGABYTES * 1_000_000) return { fault: "too-large" };
  return textOf(new Uint8Array(await file.arrayBuffer()));
}

/**
 * The text of some bytes: UTF-16, UTF-8, or otherwise Windows-1252, which has a character for every byte. A fault for a
 * workbook that was not exported as a table, for a PDF or a web page, and for bytes that are not text.
 *
 * @param {Uint8Array} bytes
 * @returns {FileText}
 */
export function textOf(bytes) {
  if (WORKBOOKS.some((mark) => begins(bytes, mark))) return { fault: "workbook" };
  const text = decoded(bytes);
  return text === null || !isText(text) || DOCUMENT.test(text) ? { fault: "no-text" } : { text };
}

/** @param {Uint8Array} bytes @param {readonly number[]} mark */
function begins(bytes, mark) {
  return mark.every((byte, place) => bytes[place] === byte);
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  if (begins(bytes, [0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes);
  if (begins(bytes, [0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return withoutMark(bytes);
  try {
    return UTF_8.decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * The text of UTF-16 without a byte order mark; null for anything else. A text in the wrong byte order is recognised
 * because it has no line breaks.
 *
 * @param {Uint8Array} bytes
 */
function withoutMark(bytes) {
  for (const encoding of ["utf-16le", "utf-16be"]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (/[\n\r]/.test(text)) return text;
    } catch {
      // not in this order
    }
  }
  return null;
}

/** @param {string} text */
function isText(text) {
  const part = text.slice(0, LOOKED_AT);
  return !part.includes("\0") && (part.match(CONTROL)?.length ?? 0) * 100 <= part.length;
}
