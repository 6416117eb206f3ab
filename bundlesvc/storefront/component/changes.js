/** What has changed since a page read its bundle: found when the service refuses what that copy of the bundle allows. */

import { itemOf } from "./slot.js";

/** Refusals that a current copy foresees. */
const OUTDATED = [
  "selection_invalid",
  "rules_not_met",
  "personalisation_invalid",
  "subscription_invalid",
  "conditions_discount_mismatch",
  "price_changed",
  "not_found",
];

/** Refusals whose details may be of what only the service knows, such as stock. */
const EXPLAINED = ["rules_not_met", "personalisation_invalid", "subscription_invalid"];

/** Codes of details that no copy foresees. */
const UNKNOWABLE = ["sold_out", "blocked", "invalid_email"];

const RULES = ["limitRules", "conditionsEngineNodes", "requiredProducts"];

/** Whether a refusal says that the page's copy of the bundle is outdated. */
export const isOutdated = ({ code }) => OUTDATED.includes(code);

/**
 * What a refusal means. `before` and `now` are the copies of the bundle, each with what the shopper has chosen in it:
 * {bundle, offer, items, selection, presentment}.
 */
export function changesBetween(before, now, refusal) {
  const isSame = text(before.selection) === text(now.selection);
  return {
    rulesChanged: RULES.some((name) => text(before.bundle[name]) !== text(now.bundle[name])),
    removed: removedFrom(before, now),
    price: isSame ? priceChange(before, now, refusal) : null,
    /** Faults of what is chosen that the service has found. */
    details: isSame && EXPLAINED.includes(refusal.code) ? refusal.details : [],
  };
}

/** Whether a bundle that was read after a refusal does not explain it: its sender may not have heard of the change yet. */
export function isPuzzling({ bundle, refusal }, now) {
  return refusal.details.some(({ code }) => !UNKNOWABLE.includes(code)) && text(bundle) === text(now);
}

/** Chooses in another section what its own does not offer any more. `before` and `now` are offers. */
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

const text = (value) => JSON.stringify(value);

/** The units that are not offered any more, by variant. */
function removedFrom({ items, offer }, now) {
  const left = now.items.map(({ variant }) => variant);
  const isLeft = ({ variant }) => left.includes(variant) && left.splice(left.indexOf(variant), 1).length > 0;
  return items
    .filter((item) => !isLeft(item))
    .map((item) => ({ ...item, title: offer.nameOf(item.variant, item.product) }));
}

/** Null where the refusal is for another reason. `accept` is the new price as configure takes it. */
function priceChange(before, now, { details }) {
  const changed = details.find(({ code }) => code === "different_price");
  if (!changed) return null;
  const { path, expected, actual } = changed;
  const currencyOf = ({ bundle, presentment }) =>
    (path === "expectedPresentment" && presentment?.currency) || bundle.settings.currency;
  return {
    before: { amount: expected, currency: currencyOf(before) },
    now: { amount: actual, currency: currencyOf(now) },
    accept: { [path]: actual },
  };
}
