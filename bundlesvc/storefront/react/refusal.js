/** Finds what a refusal means for a selection. The bundle may have been fetched again since the refusal. */

import { changesBetween } from "../component/selection/changes.js";
import { NO_SECTION } from "../component/selection/offer.js";

/** @import { SelectedItem, ServiceError } from "../client/client.js" */
/** @import { Copy } from "../component/types.js" */
/** @import { Offer } from "../component/selection/offer.js" */

/**
 * `refused` is the copy of the bundle that did not foresee the refusal, `now` is the current copy. Returns the update
 * for the page, the faults that belong to the selection, and the items as they are offered now, or null if no item
 * changes.
 *
 * @param {ServiceError} error
 * @param {Copy} refused
 * @param {Copy} now
 * @param {boolean} isValid
 */
export function readRefusal(error, refused, now, isValid) {
  const { details, price, ...changes } = changesBetween(refused, now, error);
  const isOld = refused.bundle === now.bundle;
  const items = isOld ? now.items : now.items.flatMap((item) => offeredIn(now.offer, item) ?? []);
  const own = error.details.filter(({ code }) => code !== "different_price");
  return {
    update: { error, ...changes, price: isValid ? price : null },
    faults: isOld ? own : isValid ? details : [],
    items: items.length === now.items.length && items.every((item, place) => item === now.items[place]) ? null : items,
  };
}

/**
 * The item, moved to another section if its own section no longer offers it; undefined when no section offers it.
 *
 * @param {Offer} offer
 * @param {SelectedItem} item
 * @returns {SelectedItem | undefined}
 */
function offeredIn({ slots, gifts }, item) {
  const isGift = item.section === NO_SECTION && gifts.some(({ variantId }) => variantId === item.variant);
  const found = slots.filter((slot) => slot.has(item));
  if (isGift || found.some(({ section }) => section === item.section)) return item;
  const other = found.find(({ section }) => section !== NO_SECTION);
  return other && { ...item, section: other.section };
}
