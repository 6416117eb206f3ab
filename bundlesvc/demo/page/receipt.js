/** The checkout simulator's receipt, line by line. */

import { h } from "./dom.js";
import { less, money, sum } from "./money.js";

/** @import { Charged, Receipt, ReceiptLine, Refusal } from "./types.js" */
/** @typedef {import("./cart.js").Entry} Entry */

const KINDS = {
  bundle: "merged by the cart-transform step",
  fee: "fee, charged at full price",
  ghost: "ghost variant, sold at the discounted price",
  item: "charged at full price",
};

/**
 * @param {Receipt} receipt
 * @param {readonly Entry[]} entries the cart's
 * @returns {HTMLElement}
 */
export function receiptView(receipt, entries) {
  return h(
    "div.receipt",
    { "data-testid": "receipt" },
    receipt.refusals.length ? refusals(receipt, entries) : null,
    h("ol.charges", { role: "list" }, ...receipt.lines.map((line) => charge(line, receipt))),
    h("p.charge.sum", {}, h("strong", { text: "To pay" }), amount(receipt, receipt, "total")),
    verdict(receipt, entries),
  );
}

/**
 * The reasons why discounts do not apply.
 *
 * @param {Receipt} receipt
 * @param {readonly Entry[]} entries
 */
function refusals({ refusals: reasons }, entries) {
  return h(
    "div.refusals",
    {},
    h("h4", { text: reasons.length > 1 ? "Discounts refused" : "Discount refused" }),
    h("ul", { role: "list" }, ...reasons.map((reason) => refusal(reason, entries))),
  );
}

/**
 * @param {Refusal} reason
 * @param {readonly Entry[]} entries
 */
function refusal({ code, message, configuredBundleId, details }, entries) {
  const bundle = entries.find(({ configuredId }) => configuredId !== null && configuredId === configuredBundleId);
  const counts = (details.variants ?? []).map(({ variantId, promised, found }) =>
    h("span.more", { text: `Variant ${variantId}: ${promised} configured, ${found} in the cart.` }),
  );
  return h(
    "li",
    { "data-testid": "refusal", "data-code": code },
    bundle ? h("strong", { text: `${bundle.note.title}: ` }) : null,
    message,
    ...counts,
    h("span.more", {}, h("code", { text: code }), bundle ? ` · configured bundle ${configuredBundleId}` : null),
  );
}

/**
 * @param {ReceiptLine} line
 * @param {Receipt} receipt
 */
function charge(line, receipt) {
  const { kind, original, total, percentage, marketOriginal, marketTotal } = line;
  const [saved, currency] = isForeign(receipt)
    ? [less(String(marketOriginal), String(marketTotal)), receipt.marketCurrency]
    : [less(original, total)];
  const off = h("span", { text: `−${money(saved, currency)}` });
  const what = h("span.more", { text: KINDS[/** @type {keyof typeof KINDS} */ (kind)] });
  return h(
    "li.charge-group",
    { "data-testid": "charge", "data-kind": kind },
    h("div.charge", {}, h("span", {}, h("strong", { text: named(line) }), what), amount(line, receipt)),
    parts(line, receipt),
    original === total ? null : h("p.charge.part.off", {}, h("span", { text: `${percentage}% off` }), off),
  );
}

/**
 * The contents of a merged line or a ghost variant, or the answers given for a line.
 *
 * @param {ReceiptLine} line
 * @param {Receipt} receipt
 */
function parts({ components, contents, properties }, receipt) {
  const rows = [
    ...components.map((one) =>
      h("li.charge.part", {}, h("span", {}, named(one), answers(one.properties)), amount(one, receipt)),
    ),
    ...contents.map((text) => h("li.charge.part", { text })),
  ];
  return rows.length ? h("ul", { role: "list" }, ...rows) : answers(properties);
}

/** The properties that shoppers see: a platform hides those that start with an underscore. */
function answers(/** @type {Record<string, string>} */ properties) {
  const shown = Object.entries(properties).filter(([name]) => !name.startsWith("_"));
  return shown.length ? h("span.more", { text: shown.map(([name, value]) => `${name}: ${value}`).join(" · ") }) : null;
}

function named(
  /** @type {Pick<ReceiptLine, "title" | "variantTitle" | "quantity">} */ { title, variantTitle, quantity },
) {
  return `${quantity}\u00a0× ${variantTitle ? `${title}, ${variantTitle}` : title}`;
}

/**
 * Whether the shopper pays in a currency other than the shop's.
 *
 * @param {Receipt} receipt
 * @returns {receipt is Receipt & { readonly marketCurrency: string }}
 */
function isForeign(receipt) {
  const { currency, marketCurrency } = receipt;
  return marketCurrency !== null && marketCurrency !== currency;
}

/**
 * The charge for `owner`, in the shopper's currency.
 *
 * @param {Charged} owner
 * @param {Receipt} receipt
 * @returns {[amount: string, currency: string]}
 */
export function charged(owner, receipt) {
  return isForeign(receipt) ? [String(owner.marketTotal), receipt.marketCurrency] : [owner.total, receipt.currency];
}

/**
 * The charge for `owner`, followed by the amount in the shop's currency if the shopper pays in another.
 *
 * @param {Charged} owner
 * @param {Receipt} receipt
 * @param {string} [testid]
 */
function amount(owner, receipt, testid) {
  const inShop = { text: money(owner.total), "data-testid": testid };
  if (!isForeign(receipt)) return h("span.amount", {}, h("span", inShop));
  const inMarket = { text: money(...charged(owner, receipt)), "data-testid": testid && `market-${testid}` };
  return h("span.amount", {}, h("span", inMarket), h("span.more", inShop));
}

/**
 * Whether the charge equals what the service promised, plus fees, in the currency that the shopper pays in.
 *
 * @param {Receipt} receipt
 * @param {readonly Entry[]} entries
 */
function verdict(receipt, entries) {
  const { promised, fees, total, currency } = promiseOf(receipt, entries);
  const due = sum([promised, fees]);
  const isEqual = Number(less(due, total)) === 0;
  const added = Number(fees) ? ` plus ${money(fees, currency)} in fees` : "";
  const together = added ? `: ${money(due, currency)}` : "";
  const text = isEqual
    ? `Matches the service's promise to the cent: ${money(promised, currency)}${added}.`
    : `The service promised ${money(promised, currency)}${added}${together}. ${difference(receipt, entries)}`;
  return h("p.verdict", { text, "data-testid": "verdict", "data-kept": String(isEqual) });
}

/**
 * The promised amount, the fees, and the charge: in the market's currency if every bundle was promised for this market, otherwise in
 * the shop's.
 *
 * @param {Receipt} receipt
 * @param {readonly Entry[]} entries
 */
function promiseOf(receipt, entries) {
  const { countryCode, lines, currency } = receipt;
  const isOfMarket =
    isForeign(receipt) && entries.every(({ note }) => note.presentment && note.country === countryCode);
  const fees = lines.filter(({ kind }) => kind === "fee");
  const total = isOfMarket ? "marketTotal" : "total";
  return {
    promised: sum(entries.flatMap(({ note, quantity }) => Array(quantity).fill(priceOf(note, isOfMarket)))),
    fees: sum(["0.00", ...fees.map((fee) => String(fee[total]))]),
    total: String(receipt[total]),
    currency: isOfMarket ? receipt.marketCurrency : currency,
  };
}

/** @returns {string} */
function priceOf(/** @type {import("./cart.js").Note} */ { pricing, presentment }, /** @type {boolean} */ isOfMarket) {
  return ((isOfMarket && presentment) || pricing).discountedPrice;
}

/**
 * @param {Receipt} receipt
 * @param {readonly Entry[]} entries
 */
function difference({ refusals: reasons, countryCode }, entries) {
  if (reasons.length) return "The reasons are above.";
  if (entries.some(({ note }) => note.isSubscribed)) {
    return "On a platform, the selling plan takes off what a subscriber saves. This checkout has no selling plans.";
  }
  const isElsewhere = entries.some(({ note }) => note.country !== (countryCode ?? ""));
  return isElsewhere
    ? "A bundle was configured for another country."
    : "A ghost variant has one price for all markets, so a market's amount can differ by one minor unit.";
}
