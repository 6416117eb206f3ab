/** What a shopper can choose, what is chosen, and what it costs, in numbers and words. */

import { decimal, evaluateSelection } from "../client/client.js";
import { MAX_UNITS, bareId } from "../client/selection-lines.js";

const { add, compare, fromInteger, multiply, parse, subtract, toPlain } = decimal;

// The section of required products and of free items.
export const NO_SECTION = 0;

/** Why a variant cannot be bought; "" when it can. */
export function lack({ available, availableForSale }) {
  if (availableForSale === false) return "notSoldInCountry";
  return available ? "" : "soldOut";
}

/** A product in a section, or a required product, which has a `quantity`. */
class Slot {
  /** {slot, variant, answers}, with answers by the key of their field. */
  units = [];

  constructor(key, section, product, variants, quantity) {
    Object.assign(this, { key, section, product, variants, quantity });
    this.shown = variants.find((variant) => !lack(variant)) ?? variants[0];
    this.clear();
  }

  of(variant = this.shown) {
    return this.units.filter((unit) => unit.variant === variant);
  }

  add() {
    this.units.push({ slot: this, variant: this.shown, answers: {} });
  }

  drop() {
    this.remove(this.of().slice(-1));
  }

  remove(units) {
    this.units = this.units.filter((unit) => !units.includes(unit));
  }

  clear() {
    this.units = [];
    this.fill();
  }

  fill() {
    while (this.units.length < this.quantity) this.add();
  }

  has({ variant, product }) {
    return this.product.platformProductId === bareId(product) && this.#variantOf(bareId(variant)) !== undefined;
  }

  /** Adds a unit. Returns whether there are fields for all its answers. */
  choose({ variant, personalisation }, fields) {
    const types = new Map(fields.map(({ key, type }) => [key, type]));
    const given = Object.entries(personalisation ?? {}).filter(([, answer]) => answer);
    const known = given.filter(([key]) => types.has(key));
    const answers = known.map(([key, answer]) => [key, types.get(key) === "checkbox" ? true : String(answer)]);
    this.shown = this.#variantOf(bareId(variant));
    this.units.push({ slot: this, variant: this.shown, answers: Object.fromEntries(answers) });
    return known.length === given.length;
  }

  #variantOf(id) {
    return this.variants.find(({ platformVariantId }) => platformVariantId === id);
  }

  show(variant) {
    this.shown = variant;
    if (this.quantity) for (const unit of this.units) unit.variant = variant;
  }

  /** Take over earlier choices that are still offered. */
  take({ shown, units }) {
    const now = ({ platformVariantId: id }) => this.#variantOf(id);
    this.shown = now(shown) ?? this.shown;
    this.units = units
      .map((unit) => ({ ...unit, slot: this, variant: now(unit.variant) }))
      .filter(({ variant }) => variant);
    if (this.quantity && this.units.length !== this.quantity) this.clear();
  }
}

export class Offer {
  #products = new Map();
  #variants = new Map();

  constructor(bundle) {
    for (const product of bundle.products) {
      this.#products.set(product.platformProductId, product);
      for (const variant of product.variants) {
        this.#variants.set(variant.platformVariantId, { product, variant });
      }
    }
    const currencies = new Set(
      bundle.products.flatMap(({ variants }) => variants.map((one) => one.presentmentCurrency)),
    );
    const [currency] = currencies.size === 1 ? currencies : [];
    /** The shopper's: that of the country's market, or the shop's. */
    this.currency = currency ?? bundle.settings.currency;
    this.isForeign = this.currency !== bundle.settings.currency;
    this.required = bundle.requiredProducts.flatMap((required, place) =>
      this.#slot(NO_SECTION, { bundleItemId: -place, ...required }, required.quantity),
    );
    const slotsOf = ({ id, products }) => products.flatMap((offered) => this.#slot(id, offered, 0));
    this.sections = bundle.sections
      .map((section) => ({ ...section, slots: slotsOf(section) }))
      .sort((one, other) => one.order - other.order);
    this.slots = [...this.required, ...this.sections.flatMap(({ slots }) => slots)];
    const isOffered = (gift) => this.slots.some(({ section, variants }) => section && variants.includes(gift));
    /** The free items: their nodes, with the product and the variant if the bundle has them. */
    this.gifts = (bundle.conditionsEngineNodes ?? [])
      .filter(({ type }) => type === "free-item")
      .map((node) => ({ ...node, ...this.find(node.variantId) }))
      .map((gift) => ({ ...gift, isOffered: isOffered(gift.variant) }));
  }

  /** Chooses these items and no others. Returns whether all are offered; free items come by themselves. */
  choose(items, fieldsOf) {
    const isGift = (variant) => this.gifts.some(({ variantId }) => bareId(variantId) === bareId(variant));
    for (const slot of this.slots) slot.units = [];
    const offered = items.slice(0, MAX_UNITS).filter((item) => {
      const slot = this.#slotOf(item);
      return slot ? slot.choose(item, fieldsOf(slot)) : item.section === NO_SECTION && isGift(item.variant);
    });
    for (const slot of this.required) slot.fill();
    return offered.length === items.length;
  }

  /** The free items that the conditions grant and that are on sale. Those that no section offers are added by themselves. */
  granted({ actions }) {
    const isFired = (id) => actions.some((action) => action.id === id && action.fired);
    return this.gifts.filter(
      ({ id, product, variant }) => isFired(id) && product?.status === "ACTIVE" && !lack(variant),
    );
  }

  #slotOf(item) {
    const slots = this.slots.filter((slot) => slot.has(item));
    const isNeeded = ({ quantity, units }) => units.length < quantity;
    return slots.find(({ section, quantity }) => !quantity && section === item.section) ?? slots.find(isNeeded);
  }

  find(variantId) {
    return this.#variants.get(variantId);
  }

  /** The price that amounts are calculated from, in the shopper's currency. */
  priceOf({ presentmentPrice, priceInShopCurrency, price }) {
    return this.isForeign ? presentmentPrice : (priceInShopCurrency ?? price);
  }

  /** The previous price if it was higher; otherwise "", and in a market's currency, where none is known. */
  wasPriceOf(variant) {
    const { compareAtPrice: was } = variant;
    return was && !this.isForeign && compare(parse(was), parse(this.priceOf(variant))) > 0 ? was : "";
  }

  /** The price of a number of units. */
  amountOf(variant, count) {
    return toPlain(times(this.priceOf(variant), count));
  }

  /** "First Light – 250 g / Filter" */
  nameOf(variantId, productId) {
    const { product = this.#products.get(productId), variant } = this.find(variantId) ?? {};
    const title = product?.title ?? "";
    return !variant || variant.title === "Default Title" ? title : `${title} – ${variant.title}`;
  }

  take(before) {
    for (const slot of this.slots) {
      const same = before.slots.find(({ key }) => key === slot.key);
      if (same) slot.take(same);
    }
  }

  /** No slot for a product that is not on sale, unless it is required: then its faults are shown. */
  #slot(section, { bundleItemId, platformProductId, variantIds }, quantity) {
    const product = this.#products.get(platformProductId);
    const allows = ({ platformVariantId: id }) => !variantIds.length || variantIds.includes(id);
    const variants = product?.variants.filter(allows);
    if (!variants?.length || !(quantity || product.status === "ACTIVE")) return [];
    return [new Slot([bundleItemId, platformProductId].join(), section, product, variants, quantity)];
  }
}

export class Quote {
  /** `refused`: the faults that the service found in this selection. */
  constructor(session, refused) {
    const { offer, plan, email } = session;
    this.units = offer.slots.flatMap(({ units }) => units);
    const chosen = this.units.map(itemOf);
    this.#evaluate(session, chosen);
    const granted = offer.granted(this.evaluation.conditions);
    // Conditions ignore free units, so adding them changes no condition.
    this.gifts = granted.filter(({ isOffered, quantity }) => !isOffered && chosen.length + quantity <= MAX_UNITS);
    if (this.gifts.length) this.#evaluate(session, chosen.concat(this.gifts.flatMap(itemsOfGift)));
    const { conditions, nextTier, refusal } = this.evaluation;
    const missing = plan && !email ? [{ path: "subscription.email", code: "invalid_email" }] : [];
    this.failures = [...(refusal?.details ?? []), ...missing, ...refused];
    this.hasNoEmail = this.failures.some(({ code }) => code === "invalid_email");
    this.reasons = [...new Set(this.failures.map((detail) => explain(session, this, detail)))];
    this.tier = tierSentence(session, nextTier);
    const isTaken = ({ id }) => conditions.free.some(({ actionId }) => actionId === id);
    const offers = granted.filter((gift) => gift.isOffered && !isTaken(gift));
    this.messages = conditions.messages
      .map(({ text }) => text)
      .concat(offers.map(({ variantId }) => session.say("freeOffer", { title: offer.nameOf(variantId) })));
    this.#sumUp(session);
  }

  free(section, { platformVariantId: id }) {
    return this.evaluation.conditions.free
      .filter(({ variantId, sectionId }) => variantId === id && sectionId === section)
      .reduce((sum, { count }) => sum + count, 0);
  }

  hides({ section, product }) {
    return this.evaluation.conditions.hiddenProducts.some(
      ({ productId, sectionId }) => productId === product.platformProductId && (sectionId ?? section) === section,
    );
  }

  /** The unit of a path: "products.3" is the fourth of all chosen units. */
  at(path) {
    return this.units[/^products\.(\d+)/.exec(path)?.[1]];
  }

  isFaulty(unit, key) {
    return this.failures.some(({ path }) => path.endsWith(`.personalisation.${key}`) && this.at(path) === unit);
  }

  #evaluate({ bundle, country, plan, email }, items) {
    const { currency, activeFeatures } = bundle.settings;
    this.selection = { items };
    if (plan) {
      const { groupId: id, frequency, unit } = plan;
      this.selection.subscription = { id, frequency, unit, ...(email && { email }) };
    }
    const context = { currency, activeFeatures, country };
    const evaluate = (chosen) =>
      evaluateSelection(bundle, bundle.products, { ...this.selection, items: chosen }, context);
    this.evaluation = evaluate(items);
    // Answers do not change the price, so it is shown even with a wrong one.
    const priced = this.evaluation.pricing ? this.evaluation : evaluate(items.map(withoutAnswers));
    Object.assign(this, { pricing: priced.pricing, presentment: priced.presentment });
  }

  /** Amounts as text, "" for none. Fees are in the shop's currency. */
  #sumUp({ bundle, money, offer, say }) {
    const { fees } = this.evaluation;
    const { originalPrice = "0", discountedPrice = "0" } = (offer.isForeign ? this.presentment : this.pricing) ?? {};
    const [was, now] = [parse(originalPrice), parse(discountedPrice)];
    const write = (amount) => money(toPlain(amount), offer.currency);
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

/** The price of a bundle that costs the same whatever is in it, in the shop's currency; "" of any other. */
function fixedPriceOf({ discount }) {
  const isFixed = discount?.type === "price" && discount.flatOrTiered === "flat" && !discount.minimum;
  return isFixed ? discount.value : "";
}

const times = (amount, count) => multiply(parse(amount), fromInteger(count));

export function itemOf({ slot, variant, answers }) {
  const given = Object.entries(answers).filter(([, answer]) => answer);
  const item = { variant: variant.platformVariantId, product: slot.product.platformProductId, section: slot.section };
  return given.length ? { ...item, personalisation: Object.fromEntries(given) } : item;
}

const withoutAnswers = (item) => ({ ...item, personalisation: null });

export function itemsOfGift({ product, variantId: variant, quantity }) {
  return Array(quantity).fill({ variant, product: product.platformProductId, section: NO_SECTION });
}

/** The sentence for a fault. One without a text of its own is due to a change since the bundle was read. */
function explain(session, quote, detail) {
  const { offer, say } = session;
  const { code, path, message } = detail;
  if (code === "limit_not_met") return limitSentence(session, detail);
  if (code === "blocked") return path === "bundle" ? say("fault-not-yet") : message;
  const { slot, variant } = quote.at(path) ?? {};
  const variantId = detail.platformVariantId ?? variant?.platformVariantId;
  const { available, inventoryQuantity: count } = offer.find(variantId)?.variant ?? {};
  const field = slot && session.fields(slot).find(({ key }) => path.endsWith(`.personalisation.${key}`));
  const title = offer.nameOf(variantId, detail.platformProductId);
  const places = { title, count, label: field?.label, limit: field?.characterLimit };
  // Only the service knows that too few are left; their number may have changed since.
  const chosen = quote.units.filter((unit) => unit.variant.platformVariantId === variantId).length;
  if (code === "sold_out" && available) return say(count > 0 && count < chosen ? "fault-stock" : "fault-few", places);
  return say(`${field ? "answer" : "fault"}-${code}`, places) || say("changed");
}

/** "Coffee: Choose at least 3 – 2 more" */
function limitSentence({ bundle, offer, say, number, money, anyOf }, detail) {
  const { rule, unit, operation, sectionId, alternatives, actual, missing, platformVariantId, platformProductId } =
    detail;
  const weight = unit === "weight" ? ` ${bundle.weightUnit}` : "";
  const inUnit = (amount) => (unit === "money" ? money(amount) : number(amount) + weight);
  const limit = alternatives ? anyOf(alternatives.map(inUnit)) : inUnit(detail.limit);
  const sentence = say(`rule-${rule}`, {
    title: offer.nameOf(platformVariantId, platformProductId),
    bound: say(`limit-${operation}`, { limit }),
    limit,
    now: say(missing === "0" ? "nowActual" : "nowMissing", { actual: inUnit(actual), missing: inUnit(missing) }),
  });
  const section = bundle.sections.length > 1 && bundle.sections.find(({ id }) => id === sectionId);
  return section ? `${section.name}: ${sentence}` : sentence;
}

/** "2 more for 20 % off", or the merchant's own text; "" without a tier. */
function tierSentence({ say, number, money }, tier) {
  if (!tier) return "";
  const { type, missing, discount, discountType, customText } = tier;
  const amount = discountType === "percentage" ? number(discount) : money(discount);
  const places = {
    missing: type === "total_price" ? money(missing) : number(missing),
    discount: say(`off-${discountType}`, { amount }),
  };
  return customText || say(type === "bulk_buy" ? "nextTierSame" : "nextTier", places);
}
