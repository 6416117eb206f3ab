/** What has changed since a page read its bundle: found when the service refuses what that copy of the bundle allows. */

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

const text = (value) => JSON.stringify(value);

/** The units that are not offered any more, by variant. */
function removedFrom({ items, offer }, now) {
  const left = now.items.map(({ variant }) => variant);
  const isLeft = ({ variant }) => left.includes(variant) && left.splice(left.indexOf(variant), 1).length > 0;
  return items.filter((item) => !isLeft(item)).map((item) => ({ ...item, title: offer.nameOf(item.variant, item.product) }));
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
