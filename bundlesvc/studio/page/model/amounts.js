/** Amounts as people write them in tables: "12", "1,234.50", "1.234,50 €", "CHF 1'234.50". */

/** What may stand before or after the number. */
const CURRENCY = String.raw`(?:\p{Sc}|[A-Z]{3}|[A-Z]{1,2}\$|[Kk]r\.?|Fr\.?|zł|Kč)`;
const AMOUNT = new RegExp(String.raw`^${CURRENCY}?\s*(?<number>\d[\d.,'’\s]*)\s*${CURRENCY}?$`, "u");
const GROUPED = /^\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/u;

/** @typedef {"." | "," | null} DecimalMark null where nothing says which it is */

/** The mark before the decimals, if the amounts of a column say which it is. @param {readonly string[]} texts @returns {DecimalMark} */
export function decimalMark(texts) {
  const marks = new Set(texts.map((text) => /([.,])\d{1,2}$/.exec(numberOf(text))?.[1]).filter(Boolean));
  return marks.size === 1 ? /** @type {DecimalMark} */ ([...marks][0]) : null;
}

/**
 * An amount with two decimals; null when it is none, or when nobody can say which: "1,234" is more than a thousand where "." stands
 * before decimals, and less than two elsewhere.
 *
 * @param {string} text
 * @param {DecimalMark} [mark]
 */
export function amountOf(text, mark = null) {
  const number = numberOf(text);
  const [, decimals = ""] = /[.,](\d{1,2})$/.exec(number) ?? [];
  const whole = number.slice(0, number.length - (decimals ? decimals.length + 1 : 0));
  const [, separator] = GROUPED.exec(whole) ?? [];
  if (!separator && !/^\d+$/.test(whole)) return null;
  if (separator === number.at(-decimals.length - 1) && decimals) return null;
  if (!decimals && (separator === "." || separator === ",") && !isThousands(whole, separator, mark)) return null;
  return `${Number(whole.replace(/\D/g, ""))}.${decimals.padEnd(2, "0")}`;
}

/** Whether a mark stands between thousands: there are several, or decimals have the other one. @param {string} whole @param {string} separator @param {DecimalMark} mark */
function isThousands(whole, separator, mark) {
  return whole.split(separator).length > 2 || (mark !== null && mark !== separator);
}

/** The number in a text, without its currency; "" without one. @param {string} text */
function numberOf(text) {
  return AMOUNT.exec(text.trim())?.groups?.["number"]?.trim() ?? "";
}
