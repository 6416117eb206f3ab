/** The evaluated selection: its price, its faults, and the sentences about it. */

import { decimal, evaluateSelection } from "../../client/client.js";
import { MAX_UNITS } from "../../client/selection-lines.js";
import { itemsOfGift, times } from "./offer.js";
import { explain, tierSentence } from "./sentences.js";
import { itemOf } from "./slot.js";

/** @import { Failure, Gift, Unit, Variant } from "../types.js" */
/** @import { Session } from "../session.js" */
/** @import { EmbedBundle, SelectedItem } from "../../client/client.js" */
/** @import { Slot } from "./slot.js" */

const { add, compare, parse, subtract, toPlain } = decimal;

export class Quote {
  // Amounts as text, or "" when there is none. Fees are in the shop's currency.
  price = "";
  label = "";
  was = "";
  saved = "";
  fee = "";

  /**
   * `refused`: the faults that the service found in this selection.
   *
   * @param {Session} session
   * @param {readonly Failure[]} refused
   */
  constructor(session, refused) {
    const { offer, plan, email } = session;
    this.units = offer.slots.flatMap(({ units }) => units);
    const chosen = this.units.map(itemOf);
    const alone = evaluated(session, chosen);
    const granted = offer.granted(alone.evaluation.conditions);
    // Conditions ignore free units, so adding these units changes no condition.
    this.gifts = granted.filter(({ isOffered, quantity }) => !isOffered && chosen.length + quantity <= MAX_UNITS);
    const all = this.gifts.length ? evaluated(session, chosen.concat(this.gifts.flatMap(itemsOfGift))) : alone;
    this.selection = all.selection;
    this.evaluation = all.evaluation;
    this.pricing = all.priced.pricing;
    this.presentment = all.priced.presentment;
    const { conditions, nextTier, refusal } = this.evaluation;
    /** @type {Failure[]} */
    const missing = plan && !email ? [{ path: "subscription.email", code: "invalid_email" }] : [];
    this.failures = [...(refusal?.details ?? []), ...missing, ...refused];
    this.hasNoEmail = this.failures.some(({ code }) => code === "invalid_email");
    this.reasons = [...new Set(this.failures.map((detail) => explain(session, this, detail)))];
    this.tier = tierSentence(session, nextTier);
    const isTaken = (/** @type {Gift} */ { id }) => conditions.free.some(({ actionId }) => actionId === id);
    const offers = granted.filter((gift) => gift.isOffered && !isTaken(gift));
    this.messages = conditions.messages
      .map(({ text }) => text)
      .concat(offers.map(({ variantId }) => session.say("freeOffer", { title: offer.nameOf(variantId) })));
    this.#sumUp(session);
  }

  /**
   * @param {number} section
   * @param {Pick<Variant, "platformVariantId">} variant
   */
  free(section, { platformVariantId: id }) {
    return this.evaluation.conditions.free
      .filter(({ variantId, sectionId }) => variantId === id && sectionId === section)
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** @param {Slot} slot */
  hides({ section, product }) {
    return this.evaluation.conditions.hiddenProducts.some(
      ({ productId, sectionId }) => productId === product.platformProductId && (sectionId ?? section) === section,
    );
  }

  /**
   * The unit that a path refers to: "products.3" is the fourth of all chosen units.
   *
   * @param {string} path
   */
  at(path) {
    const place = /^products\.(\d+)/.exec(path)?.[1];
    return place === undefined ? undefined : this.units[Number(place)];
  }

  /**
   * @param {Unit} unit
   * @param {string} key
   */
  isFaulty(unit, key) {
    return this.failures.some(({ path }) => path.endsWith(`.personalisation.${key}`) && this.at(path) === unit);
  }

  /** @param {Session} session */
  #sumUp({ bundle, money, offer, say }) {
    const { fees } = this.evaluation;
    const { originalPrice = "0", discountedPrice = "0" } = (offer.isForeign ? this.presentment : this.pricing) ?? {};
    const [was, now] = [parse(originalPrice), parse(discountedPrice)];
    const write = (/** @type {decimal.Decimal} */ amount) => money(toPlain(amount), offer.currency);
    const isReduced = compare(was, now) > 0;
    const fixed = this.units.length + this.gifts.length ? "" : fixedPriceOf(bundle);
    this.price = fixed ? money(fixed) : write(now);
    this.label = say(fixed ? "fixedPrice" : "total");
    this.was = isReduced ? write(was) : "";
    this.saved = isReduced ? write(subtract(was, now)) : "";
    const fee = () => toPlain(fees.map(({ amount, count }) => times(amount, count)).reduce(add));
    this.fee = fees.length ? money(fee(), fees[0].currencyCode) : "";
  }
}

/**
 * The evaluation of these items, and an evaluation that contains their price. Answers do not affect the price, so the
 * price is shown even when an answer is invalid.
 *
 * @param {Session} session
 * @param {readonly SelectedItem[]} items
 */
function evaluated({ bundle, country, plan, email }, items) {
  const { currency, activeFeatures } = bundle.settings;
  const subscription = plan && {
    id: plan.groupId,
    frequency: plan.frequency,
    unit: plan.unit,
    ...(email && { email }),
  };
  const selection = { items, ...(subscription && { subscription }) };
  const evaluate = (/** @type {readonly SelectedItem[]} */ chosen) =>
    evaluateSelection(bundle, bundle.products, { ...selection, items: chosen }, { currency, activeFeatures, country });
  const evaluation = evaluate(items);
  return { selection, evaluation, priced: evaluation.pricing ? evaluation : evaluate(items.map(withoutAnswers)) };
}

/**
 * The price of a bundle with a fixed price, in the shop's currency; "" for other bundles.
 *
 * @param {EmbedBundle} bundle
 */
function fixedPriceOf({ discount }) {
  const isFixed = discount?.type === "price" && discount.flatOrTiered === "flat" && !discount.minimum;
  return isFixed ? discount.value : "";
}

/**
 * @param {SelectedItem} item
 * @returns {SelectedItem}
 */
const withoutAnswers = (item) => ({ ...item, personalisation: null });
