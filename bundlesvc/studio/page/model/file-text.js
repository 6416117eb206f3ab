/** The text of a file that a spreadsheet has written, in the encodings that they use. */

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** How spreadsheets begin that are no text: ZIP archives (xlsx, ods), and the older format of Excel. */
const NO_TEXT = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/**
 * The text of some bytes: UTF-16 with its mark, UTF-8, or else Windows-1252, which has a character for every byte. Null for a
 * spreadsheet that was not exported as a table.
 *
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  const begins = (/** @type {readonly number[]} */ mark) => mark.every((byte, place) => bytes[place] === byte);
  if (NO_TEXT.some(begins)) return null;
  if (begins([0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes);
  if (begins([0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return UTF_8.decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
