/**
 * What becomes of the bundles of a cart: one that is as it was configured is merged at a percentage off; of any other it is
 * said why its discount does not apply. The codes of the reasons are those of docs/cart-transform/README.md.
 */

import { bundleLines, bundlesAttribute, parseObject } from "./cart.js";
import { openDiscount } from "./discount.js";
import { FernetKey } from "./fernet.js";
import { percentageOff, pricesHold } from "./prices.js";
import { differenceOfUnits } from "./units.js";

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
export function transform({ cart, cartTransform, presentmentCurrencyRate }) {
  const bundles = bundlesAttribute(cart.bundles?.value);
  const lines = bundleLines(cart.lines);
  const merges = [];
  const refusals = lines
    .filter((line) => !line.mark)
    .map((line) => ({ reason: "line_unreadable", configured: null, lines: [line] }));
  let config; // Most carts hold no bundle: no key is made ready for them.
  for (const [configured, group] of byConfiguredBundle(lines)) {
    config ??= { ...readConfig(cartTransform.metafield?.value), rate: presentmentCurrencyRate };
    const outcome = judge(configured, group, bundles, config);
    (outcome.reason ? refusals : merges).push({ configured, lines: group, ...outcome });
  }
  return { merges, refusals };
}

/**
 * What the app put into the step's metafield: the shop's handle, the keys that open discounts, and whether prices in another
 * currency than the shop's are looked at.
 */
function readConfig(value) {
  const { shop, keys, checkMarketPrices } = parseObject(value ?? "{}") ?? {};
  return {
    shop,
    keys: (Array.isArray(keys) ? keys : []).map(FernetKey.read).filter((key) => key !== null),
    checkMarketPrices: checkMarketPrices === true,
  };
}

/** The lines that a discount covers, in the order of the cart; fees are charged in full, beside their bundle. */
function byConfiguredBundle(lines) {
  const groups = new Map();
  for (const line of lines.filter(({ mark, isFee }) => mark && !isFee)) {
    const { configured } = line.mark;
    if (!groups.has(configured)) {
      groups.set(configured, []);
    }
    groups.get(configured).push(line);
  }
  return groups;
}

/** The merge of a bundle's lines, or the first reason against it. */
function judge(configured, lines, bundles, config) {
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
  const reason = ownerReason(claims, configured, entry, config) ?? linesReason(claims, lines, config);
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

/** Why the lines are not those that the discount was made for. */
function linesReason(claims, lines, market) {
  if (lines.some(({ mark }) => mark.unique !== claims.unique)) {
    return "unique_mismatch";
  }
  if (lines.some(({ mark }) => mark.parent !== lines[0].mark.parent)) {
    return "parents_differ";
  }
  return differenceOfUnits(claims.variants, lines) ?? (pricesHold(claims, lines, market) ? null : "prices_changed");
}
