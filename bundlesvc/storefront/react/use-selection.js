/** A React hook for a shopper's selection from a bundle: its price, its faults, and buying it. */

import { useMemo, useRef, useState } from "react";

import { evaluateSelection, shownPrice } from "../client/client.js";
import { MAX_UNITS } from "../client/selection-lines.js";
import { isOutdated } from "../component/selection/changes.js";
import { NO_SECTION, Offer, itemsOfGift } from "../component/selection/offer.js";
import { itemOf } from "../component/selection/slot.js";
import { Configuring } from "../component/configuring.js";
import { readRefusal } from "./refusal.js";

/** @import { EmbedBundle, SelectedItem, ServiceError, ShopperSelection, ShownPrice } from "../client/client.js" */
/** @import { Copy, Gift } from "../component/types.js" */
/** @import { Choice, SelectionState } from "./react.js" */

/** @type {ShopperSelection} */
const NOTHING = { items: [] };

/**
 * The state of a purchase. `refused` is the selection that the service has refused, and `copy` is the page's copy of
 * the bundle at that time.
 *
 * @typedef {{ isBusy: boolean, error: ServiceError | null, refused: ShopperSelection | null, copy: Copy | null }} Purchase
 */

/**
 * The selection from the bundle with this id; null until its first change.
 *
 * @typedef {{ id: number | undefined, chosen: ShopperSelection | null }} Started
 */

/** @type {Purchase} */
const IDLE = { isBusy: false, error: null, refused: null, copy: null };

/** @type {typeof import("./react.js").useSelection} */
export function useSelection(client, bundle, { countryCode, visitorId, initial, onOutdated } = {}) {
  const offer = useMemo(() => bundle && new Offer(bundle), [bundle]);
  const [chosen, setChosen] = useChosen(bundle, offer, initial);
  const [purchase, setPurchase] = useState(IDLE);
  const [configuring] = useState(() => new Configuring());
  const isSending = useRef(false);
  const { selection, evaluation } = useMemo(
    () =>
      bundle
        ? evaluated(bundle, /** @type {Offer} */ (offer), chosen, countryCode)
        : { selection: chosen, evaluation: null },
    [bundle, offer, chosen, countryCode],
  );
  const copy =
    evaluation &&
    /** @type {Copy} */ ({ bundle, offer, selection, presentment: evaluation.presentment, items: chosen.items });
  const isRefused = purchase.refused === chosen;
  const refusal =
    isRefused && purchase.copy && copy
      ? readRefusal(/** @type {ServiceError} */ (purchase.error), purchase.copy, copy, !evaluation.refusal)
      : null;

  // Items that are no longer offered leave the selection before anything is shown.
  if (refusal?.items) {
    const left = { ...chosen, items: refusal.items };
    setChosen(left);
    setPurchase({ ...purchase, refused: left });
  }

  const send = async (/** @type {ShownPrice | null} */ price) => {
    if (!bundle || !evaluation || evaluation.refusal || isSending.current) return null;
    isSending.current = true;
    setPurchase({ ...IDLE, isBusy: true });
    try {
      const chosenNow = { bundle, selection, evaluation, price, country: countryCode, visitorId };
      const result = await configuring.configure(client, chosenNow);
      setPurchase(IDLE);
      return { result, bundle, selection };
    } catch (thrown) {
      const error = /** @type {ServiceError} */ (thrown);
      setPurchase({ isBusy: false, error, refused: chosen, copy: isOutdated(error) ? copy : null });
      if (isOutdated(error)) onOutdated?.();
      return null;
    } finally {
      isSending.current = false;
    }
  };

  const found = refusal?.faults ?? (isRefused ? (purchase.error?.details ?? []) : []);
  return {
    selection,
    evaluation,
    faults: [...(evaluation?.refusal?.details ?? []), ...found],
    isBusy: purchase.isBusy,
    error: purchase.error,
    update: refusal?.update ?? null,
    count: (item) => chosen.items.filter(isSame(item)).length,
    add: (item) => setChosen(({ items, ...others }) => ({ ...others, items: [...items, item] })),
    remove: (item) => setChosen(({ items, ...others }) => ({ ...others, items: without(items, item) })),
    subscribe: (subscription) => setChosen((before) => ({ ...before, subscription })),
    setSelection: setChosen,
    reset: () => setChosen(() => startOf(bundle, offer)),
    configure: () => send(evaluation && shownPrice(evaluation)),
    confirm: async () => (refusal?.update.price ? send(refusal.update.price.accept) : null),
  };
}

/**
 * The shopper's choices. For a bundle with another id, the selection starts again.
 *
 * @param {EmbedBundle | null} bundle
 * @param {Offer | null} offer
 * @param {ShopperSelection | undefined} initial
 * @returns {readonly [ShopperSelection, SelectionState["setSelection"]]}
 */
function useChosen(bundle, offer, initial) {
  const id = bundle?.id;
  const [state, setState] = useState(/** @type {Started} */ ({ id, chosen: null }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `initial` may be a new object at each rendering
  const start = useMemo(() => initial ?? startOf(bundle, offer), [id]);
  const chosenIn = (/** @type {Started} */ given) => (given.id === id && given.chosen) || start;
  /** @type {SelectionState["setSelection"]} */
  const change = (next) =>
    setState((before) => ({ id, chosen: typeof next === "function" ? next(chosenIn(before)) : next }));
  return [chosenIn(state), change];
}

/**
 * The initial selection: the required products, and a subscription if the bundle is sold only by subscription.
 *
 * @param {EmbedBundle | null} bundle
 * @param {Offer | null} offer
 * @returns {ShopperSelection}
 */
function startOf(bundle, offer) {
  if (!bundle || !offer) return NOTHING;
  const items = offer.required.flatMap(({ units }) => units).map(itemOf);
  const [plan] = bundle.sellingPlans ?? [];
  if (!plan?.required) return { items };
  return { items, subscription: { id: plan.groupId, frequency: plan.frequency, unit: plan.unit } };
}

/**
 * The selection and its evaluation. Free items that no section offers are added to the selection automatically.
 *
 * @param {EmbedBundle} bundle
 * @param {Offer} offer
 * @param {ShopperSelection} given
 * @param {string | null | undefined} country
 */
function evaluated(bundle, offer, given, country) {
  const { currency, activeFeatures } = bundle.settings;
  const chosen = { ...given, items: withoutGifts(offer, given.items) };
  const evaluate = (/** @type {ShopperSelection} */ selection) =>
    evaluateSelection(bundle, bundle.products, selection, { currency, activeFeatures, country });
  const evaluation = evaluate(chosen);
  const gifts = offer.granted(evaluation.conditions).filter(isAdded).flatMap(itemsOfGift);
  if (!gifts.length || chosen.items.length + gifts.length > MAX_UNITS) return { selection: chosen, evaluation };
  const selection = { ...chosen, items: [...chosen.items, ...gifts] };
  return { selection, evaluation: evaluate(selection) };
}

/**
 * Whether a free item is added automatically, because no section offers it. Its product must be part of the bundle.
 *
 * @param {Gift} gift
 */
const isAdded = ({ variant, isOffered }) => variant && !isOffered;

/**
 * The items without the free items that are added automatically, because a selection that is being edited already
 * contains these. A required product may also be a free item.
 *
 * @param {Offer} offer
 * @param {readonly SelectedItem[]} items
 */
function withoutGifts(offer, items) {
  const gifts = new Set(offer.gifts.filter(isAdded).map(({ variantId }) => variantId));
  const needed = offer.required.flatMap(({ units }) => units).map(({ slot }) => slot.product.platformProductId);
  const isNeeded = (/** @type {string} */ product) =>
    needed.includes(product) && needed.splice(needed.indexOf(product), 1).length > 0;
  return items.filter(
    ({ section, product, variant }) => section !== NO_SECTION || !gifts.has(variant) || isNeeded(product),
  );
}

/**
 * @param {Choice} item
 * @returns {(other: SelectedItem) => boolean}
 */
const isSame = (item) => (other) =>
  other.variant === item.variant && other.product === item.product && other.section === item.section;

/**
 * Removes the last unit of this kind.
 *
 * @param {readonly SelectedItem[]} items
 * @param {Choice} item
 */
function without(items, item) {
  const place = items.findLastIndex(isSame(item));
  return items.filter((_, index) => index !== place);
}
