/** Finds what has changed since a page fetched its copy of a bundle, when the service refuses what this copy allows. */

import { itemOf } from "./slot.js";

/** @import { DetailOf, EmbedBundle, SelectedItem } from "../../client/client.js" */
/** @import { Changes, Copy, FieldsOf, Refusal } from "../types.js" */
/** @import { PriceChange, RemovedItem } from "../../bundle-builder.js" */
/** @import { Offer } from "./offer.js" */

/** Codes of refusals that an up-to-date copy would have foreseen. */
const OUTDATED = [
  "selection_invalid",
  "rules_not_met",
  "personalisation_invalid",
  "subscription_invalid",
  "conditions_discount_mismatch",
  "price_changed",
  "not_found",
];

/** Codes of refusals whose details may concern something that only the service knows, such as stock. */
const EXPLAINED = ["rules_not_met", "personalisation_invalid", "subscription_invalid"];

/** Codes of details that no copy can foresee. */
const UNKNOWABLE = ["sold_out", "blocked", "invalid_email"];

const RULES = /** @type {const} */ (["limitRules", "conditionsEngineNodes", "requiredProducts"]);

/**
 * Whether a refusal shows that the page's copy of the bundle is outdated.
 *
 * @param {{ readonly name?: string, readonly code?: string }} error
 */
export const isOutdated = ({ code }) => OUTDATED.includes(/** @type {string} */ (code));

/**
 * The meaning of a refusal, from the copies before and after it.
 *
 * @param {Copy} before
 * @param {Copy} now
 * @param {Refusal} refusal
 * @returns {Changes}
 */
export function changesBetween(before, now, refusal) {
  const isSame = text(before.selection) === text(now.selection);
  return {
    rulesChanged: RULES.some((name) => text(before.bundle[name]) !== text(now.bundle[name])),
    removed: removedFrom(before, now),
    price: isSame ? priceChange(before, now, refusal) : null,
    /** The faults that the service has found in the selection. */
    details: isSame && EXPLAINED.includes(refusal.code) ? refusal.details : [],
  };
}

/**
 * Whether a bundle that was fetched after a refusal fails to explain the refusal. The process that sent the bundle may
 * not know of the change yet.
 *
 * @param {{ readonly bundle: EmbedBundle, readonly refusal: Refusal }} session
 * @param {EmbedBundle} now
 */
export function isPuzzling({ bundle, refusal }, now) {
  return refusal.details.some(({ code }) => !UNKNOWABLE.includes(code)) && text(bundle) === text(now);
}

/**
 * Moves a chosen item to another section if its own section no longer offers it.
 *
 * @param {Offer} before
 * @param {Offer} now
 * @param {FieldsOf} fields
 */
export function chooseElsewhere(before, now, fields) {
  const taken = now.slots.flatMap(({ units }) => units.map(({ variant }) => variant.platformVariantId));
  for (const unit of before.slots.filter(({ quantity }) => !quantity).flatMap(({ units }) => units)) {
    const { variant, ...item } = itemOf(unit);
    const place = taken.indexOf(variant);
    const other = now.slots.find((slot) => !slot.quantity && slot.has({ variant, ...item }));
    if (place >= 0) taken.splice(place, 1);
    else other?.choose({ variant, ...item }, fields(other));
  }
}

/** @param {unknown} value */
const text = (value) => JSON.stringify(value);

/**
 * The chosen units that are no longer offered, compared by variant.
 *
 * @param {Copy} before
 * @param {Copy} now
 * @returns {RemovedItem[]}
 */
function removedFrom({ items, offer }, now) {
  const left = now.items.map(({ variant }) => variant);
  const isLeft = (/** @type {SelectedItem} */ { variant }) =>
    left.includes(variant) && left.splice(left.indexOf(variant), 1).length > 0;
  return items
    .filter((item) => !isLeft(item))
    .map((item) => ({ ...item, title: offer.nameOf(item.variant, item.product) }));
}

/**
 * The change in price; null when the refusal has another reason. `accept` is the new price, in the form that configure
 * accepts.
 *
 * @param {Copy} before
 * @param {Copy} now
 * @param {Refusal} refusal
 * @returns {PriceChange | null}
 */
function priceChange(before, now, { details }) {
  const changed = /** @type {DetailOf<"price_changed"> | undefined} */ (
    details.find(({ code }) => code === "different_price")
  );
  if (!changed) return null;
  const { path, expected, actual } = changed;
  const currencyOf = (/** @type {Copy} */ { bundle, presentment }) =>
    (path === "expectedPresentment" && presentment?.currency) || bundle.settings.currency;
  return {
    before: { amount: expected, currency: currencyOf(before) },
    now: { amount: actual, currency: currencyOf(now) },
    accept: { [path]: actual },
  };
}
