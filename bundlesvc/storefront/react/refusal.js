/** What a refusal means for a selection, when the bundle may have been fetched again since. */

import { changesBetween } from "../component/changes.js";
import { NO_SECTION } from "../component/choices.js";

/**
 * `refused` is the copy of the bundle that did not foresee it, `now` the current one (changes.js). Returns the update for the
 * page, the faults that belong to the selection, and the items that are still offered.
 */
export function readRefusal(error, refused, now, isValid) {
  const { details, price, ...changes } = changesBetween(refused, now, error);
  const isOld = refused.bundle === now.bundle;
  const own = error.details.filter(({ code }) => code !== "different_price");
  return {
    update: { error, ...changes, price: isValid ? price : null },
    faults: isOld ? own : isValid ? details : [],
    items: isOld ? now.items : now.items.filter((item) => isOffered(now.offer, item)),
  };
}

function isOffered({ slots, gifts }, item) {
  const isGift = item.section === NO_SECTION && gifts.some(({ variantId }) => variantId === item.variant);
  return isGift || slots.some((slot) => slot.section === item.section && slot.has(item));
}
