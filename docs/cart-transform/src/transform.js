/**
 * What becomes of the bundles of a cart: one that is as it was configured is merged at a percentage off; of any other it is
 * said why its discount does not apply. The codes of the reasons are those of docs/cart-transform/README.md.
 */

import { bundleLines, bundlesAttribute, parseObject } from "./cart.js";
import { openDiscount } from "./discount.js";
import { FernetKey } from "./fernet.js";
import { percentageOff, pricesHold } from "./prices.js";
import { differenceOfUnits, includesFees } from "./units.js";

const DAY = 24 * 60 * 60;
const MAX_AGE_DAYS = 30;

/** @typedef {import("./cart.js").Line} Line */

/**
 * Lines that become one line of the parent variant, with `percentage` (a decimal string) off their sum.
 *
 * @typedef {{mark: import("./cart.js").Mark, title: string, image: string, lines: Line[], percentage: string}} Merge
 */

/**
 * Lines that are charged as they stand; `configured` is null when they do not say which bundle they belong to.
 *
 * @typedef {{reason: string, configured: string | null, lines: Line[]}} Refusal
 */

/**
 * @param {object} input what input.graphql asks for
 * @returns {{merges: Merge[], refusals: Refusal[]}} lines that are in neither carry no `_bundle_data`, or are fees
 */
export function transform({ cart, cartTransform, presentmentCurrencyRate, shop }) {
  const bundles = bundlesAttribute(cart.bundles?.value);
  const lines = bundleLines(cart.lines);
  const merges = [];
  const refusals = lines
    .filter((line) => !line.mark)
    .map((line) => ({ reason: "line_unreadable", configured: null, lines: [line] }));
  let config; // Most carts hold no bundle: no key is made ready for them.
  const fees = byConfiguredBundle(lines.filter(({ isFee }) => isFee));
  for (const [configured, group] of byConfiguredBundle(lines.filter(({ isFee }) => !isFee))) {
    config ??= {
      ...readConfig(cartTransform.metafield?.value),
      rate: presentmentCurrencyRate,
      today: shop.localTime.date,
    };
    const outcome = judge(configured, { lines: group, fees: fees.get(configured) ?? [] }, bundles, config);
    (outcome.reason ? refusals : merges).push({ configured, lines: group, ...outcome });
  }
  return { merges, refusals };
}

/**
 * What the app put into the step's metafield: the shop's handle, the keys that open discounts, how many days a discount
 * holds, and whether prices in another currency than the shop's are looked at.
 */
function readConfig(value) {
  const { shop, keys, maxAgeDays, checkMarketPrices } = parseObject(value ?? "{}") ?? {};
  return {
    shop,
    keys: (Array.isArray(keys) ? keys : []).map(FernetKey.read).filter((key) => key !== null),
    maxAgeDays: Number.isInteger(maxAgeDays) && maxAgeDays > 0 ? maxAgeDays : MAX_AGE_DAYS,
    checkMarketPrices: checkMarketPrices === true,
  };
}

/** The lines that can be read, by configured bundle, in the order of the cart. */
function byConfiguredBundle(lines) {
  const groups = new Map();
  for (const line of lines.filter(({ mark }) => mark)) {
    const { configured } = line.mark;
    if (!groups.has(configured)) {
      groups.set(configured, []);
    }
    groups.get(configured).push(line);
  }
  return groups;
}

/** The merge of a bundle's lines, or the first reason against it; its fees are charged in full, beside it. */
function judge(configured, { lines, fees }, bundles, config) {
  if (lines.some((line) => line.hasSellingPlan)) {
    return { reason: "selling_plan" };
  }
  const found = bundles.entry(configured);
  if ("reason" in found) {
    return found;
  }
  const { entry } = found;
  const opened = openDiscount(entry.discount, config.keys);
  if ("reason" in opened) {
    return opened;
  }
  const { claims } = opened;
  const reason =
    ownerReason(claims, configured, entry, config) ??
    (isExpired(claims, config) ? "discount_expired" : null) ??
    linesReason(claims, lines, fees, config);
  return reason
    ? { reason }
    : { mark: lines[0].mark, title: entry.title, image: entry.image, percentage: percentageOff(claims) };
}

/** Why a discount is not that of this bundle. */
function ownerReason(claims, configured, entry, { shop }) {
  if (claims.shop !== shop) {
    return "other_shop";
  }
  if (String(claims.configured) !== configured) {
    return "other_configured_bundle";
  }
  if (entry.id !== undefined && entry.id !== null && entry.id !== claims.bundle) {
    return "other_bundle";
  }
  return claims.test ? "test_discount" : null;
}

/**
 * Whether the discount is older than it may be. A function has no clock, only today's date in the shop's time zone: the day's
 * beginning counts, read as UTC, so that a discount may hold a day and a half longer, or half a day shorter.
 */
function isExpired(claims, { today, maxAgeDays }) {
  const age = Date.parse(today) / 1000 - claims.iat;
  return !(age <= maxAgeDays * DAY);
}

/** Why the lines are not those that the discount was made for. */
function linesReason(claims, lines, fees, market) {
  if (lines.some(({ mark }) => mark.unique !== claims.unique)) {
    return "unique_mismatch";
  }
  if (lines.some(({ mark }) => mark.parent !== lines[0].mark.parent)) {
    return "parents_differ";
  }
  return (
    differenceOfUnits(claims.variants, lines) ??
    (includesFees(claims.fees ?? {}, fees) ? null : "fee_missing") ??
    (pricesHold(claims, lines, market) ? null : "prices_changed")
  );
}
