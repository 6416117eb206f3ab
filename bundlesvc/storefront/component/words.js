/** The words and numbers of a language. */

/** @import { Words } from "./types.js" */

/**
 * @param {Readonly<Record<string, string>>} texts
 * @param {string} [locale]
 * @returns {Words}
 */
export function wordsOf(texts, locale) {
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const lists = new Intl.ListFormat(locale, { type: "disjunction" });
  /** @type {Words["say"]} */
  const say = (key, places) =>
    (texts[key] ?? "").replace(
      /\{(\w+)\}/g,
      (_, name) => /** @type {Record<string, string> | undefined} */ (places)?.[name] ?? "",
    );
  return {
    say,
    number: (amount) => numbers.format(/** @type {Intl.StringNumericLiteral} */ (amount)),
    anyOf: (items) => lists.format(items),
    failed: ({ code, status }) => say(`error-${code}`) || say(`error-${status}`, location) || say("error"),
  };
}
