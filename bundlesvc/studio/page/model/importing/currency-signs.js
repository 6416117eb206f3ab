/** The signs that people write next to amounts: "$" is used for every dollar, "kr" for every crown. */

/** Signs in use that the browser does not know. @type {Readonly<Record<string, readonly string[]>>} */
const OTHERS = { CAD: ["c$"], CHF: ["fr", "sfr"], CNY: ["rmb"], SGD: ["s$"] };

const SIGN = /^(?:\p{Sc}|[A-Z]{1,3}\p{Sc}|kr|s?fr|zł|kč|ft|lei)$/iu;

/** @type {Map<string, ReadonlySet<string>>} */
const known = new Map();

/** Whether a text is the sign of any currency. @param {string} text */
export function isSign(text) {
  return SIGN.test(plain(text)) || Intl.supportedValuesOf("currency").includes(text);
}

/** Whether a text is a sign of this currency, possibly shared with others. @param {string} text @param {string} currency */
export function isSignOf(text, currency) {
  const signs = known.get(currency) ?? signsOf(currency);
  known.set(currency, signs);
  return signs.has(plain(text));
}

/**
 * The other currency at the end of a column's name, such as "Price (CHF)"; "" when there is none.
 *
 * @param {string} name
 * @param {string} currency
 */
export function foreignSignIn(name, currency) {
  const [, last = ""] = /[\s([/]([^\s()[\]/]+)[)\]]?$/.exec(name.trim()) ?? [];
  return isSign(last) && !isSignOf(last, currency) ? last : "";
}

/** @param {string} currency "" for none @returns {ReadonlySet<string>} */
function signsOf(currency) {
  if (!currency) return new Set();
  const home = currency.slice(0, 2);
  const locales = ["en", "de", new Intl.Locale("und", { region: home }).maximize()];
  const written = locales.flatMap((locale) =>
    /** @type {const} */ (["symbol", "narrowSymbol", "name"]).map((currencyDisplay) =>
      sign(locale, currency, currencyDisplay),
    ),
  );
  const dollars = sign("en", currency, "narrowSymbol") === "$" ? [`${home}$`] : [];
  return new Set([currency, ...written, ...dollars, ...(OTHERS[currency] ?? [])].map(plain));
}

/** @param {Intl.LocalesArgument} locale @param {string} currency @param {"symbol" | "narrowSymbol" | "name"} currencyDisplay */
function sign(locale, currency, currencyDisplay) {
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay }).formatToParts(12);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}

/** A sign in lower case, without points: "Kr." becomes "kr". @param {string} text */
function plain(text) {
  return text.normalize("NFKC").replaceAll(".", "").trim().toLowerCase();
}
