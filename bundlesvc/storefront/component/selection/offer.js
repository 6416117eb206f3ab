/** What a shopper can choose from in a bundle: sections, required products, free items, and their prices. */

import { decimal } from "../../client/client.js";
import { MAX_UNITS, bareId } from "../../client/selection-lines.js";
import { Slot, lack } from "./slot.js";

/** @import { ConditionsResult, EmbedBundle, FreeItemAction, Section, SelectedItem } from "../../client/client.js" */
/** @import { FieldsOf, Gift, GrantedGift, OfferedSection, Product, Variant } from "../types.js" */

const { compare, fromInteger, multiply, parse, toPlain } = decimal;

// The section id of required products and free items.
export const NO_SECTION = 0;

export class Offer {
  /** @type {Map<string | undefined, Product>} */
  #products = new Map();
  /** @type {Map<string | undefined, { product: Product, variant: Variant }>} */
  #variants = new Map();

  /** @param {EmbedBundle} bundle */
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
    /** The currency that the shopper sees: that of the country's market, or the shop's. */
    this.currency = currency ?? bundle.settings.currency;
    this.isForeign = this.currency !== bundle.settings.currency;
    this.required = bundle.requiredProducts.flatMap((required, place) =>
      this.#slot(NO_SECTION, { bundleItemId: -place, ...required }, required.quantity),
    );
    const slotsOf = (/** @type {Section} */ { id, products }) =>
      products.flatMap((offered) => this.#slot(id, offered, 0));
    /** @type {OfferedSection[]} */
    this.sections = bundle.sections
      .map((section) => ({ ...section, slots: slotsOf(section) }))
      .sort((one, other) => one.order - other.order);
    this.slots = [...this.required, ...this.sections.flatMap(({ slots }) => slots)];
    /** @param {Variant | undefined} gift */
    const isOffered = (gift) =>
      this.slots.some(({ section, variants }) => section && variants.includes(/** @type {Variant} */ (gift)));
    /** @type {Gift[]} */
    this.gifts = /** @type {readonly FreeItemAction[]} */ (bundle.conditionsEngineNodes ?? [])
      .filter(({ type }) => type === "free-item")
      .map((node) => ({ ...node, ...this.find(node.variantId) }))
      .map((gift) => ({ ...gift, isOffered: isOffered(gift.variant) }));
  }

  /**
   * Chooses exactly these items. Returns whether all of them are offered. Free items are added separately.
   *
   * @param {readonly SelectedItem[]} items
   * @param {FieldsOf} fieldsOf
   */
  choose(items, fieldsOf) {
    const isGift = (/** @type {string} */ variant) =>
      this.gifts.some(({ variantId }) => bareId(variantId) === bareId(variant));
    for (const slot of this.slots) slot.units = [];
    const offered = items.slice(0, MAX_UNITS).filter((item) => {
      const slot = this.#slotOf(item);
      return slot ? slot.choose(item, fieldsOf(slot)) : item.section === NO_SECTION && isGift(item.variant);
    });
    for (const slot of this.required) slot.fill();
    return offered.length === items.length;
  }

  /**
   * The free items that the conditions grant and that are on sale. Those that no section offers are added automatically.
   *
   * @param {Pick<ConditionsResult, "actions">} conditions
   * @returns {GrantedGift[]}
   */
  granted({ actions }) {
    const isFired = (/** @type {string} */ id) => actions.some((action) => action.id === id && action.fired);
    return /** @type {GrantedGift[]} */ (this.gifts).filter(
      ({ id, product, variant }) => isFired(id) && product?.status === "ACTIVE" && !lack(variant),
    );
  }

  /** @param {SelectedItem} item */
  #slotOf(item) {
    const slots = this.slots.filter((slot) => slot.has(item));
    const isNeeded = (/** @type {Slot} */ { quantity, units }) => units.length < quantity;
    return slots.find(({ section, quantity }) => !quantity && section === item.section) ?? slots.find(isNeeded);
  }

  /** @param {string | undefined} variantId */
  find(variantId) {
    return this.#variants.get(variantId);
  }

  /**
   * The price that amounts are calculated from, in the shopper's currency.
   *
   * @param {Variant} variant
   * @returns {string}
   */
  priceOf({ presentmentPrice, priceInShopCurrency, price }) {
    return this.isForeign ? /** @type {string} */ (presentmentPrice) : (priceInShopCurrency ?? price);
  }

  /**
   * The previous price if it was higher; otherwise "". In a market's currency it is always "", because the previous price is
   * unknown.
   *
   * @param {Variant} variant
   */
  wasPriceOf(variant) {
    const { compareAtPrice: was } = variant;
    return was && !this.isForeign && compare(parse(was), parse(this.priceOf(variant))) > 0 ? was : "";
  }

  /**
   * The price of a number of units.
   *
   * @param {Variant} variant
   * @param {number} count
   */
  amountOf(variant, count) {
    return toPlain(times(this.priceOf(variant), count));
  }

  /**
   * The name of a product with its variant: "First Light – 250 g / Filter"
   *
   * @param {string | undefined} variantId
   * @param {string} [productId]
   */
  nameOf(variantId, productId) {
    const { product = this.#products.get(productId), variant } = this.find(variantId) ?? {};
    const title = product?.title ?? "";
    return !variant || variant.title === "Default Title" ? title : `${title} – ${variant.title}`;
  }

  /** @param {Offer} before */
  take(before) {
    for (const slot of this.slots) {
      const same = before.slots.find(({ key }) => key === slot.key);
      if (same) slot.take(same);
    }
  }

  /**
   * Creates a slot, unless the product is not on sale. A required product gets a slot even then, so that its faults are
   * shown.
   *
   * @param {number} section
   * @param {{ readonly bundleItemId: number, readonly platformProductId: string, readonly variantIds: readonly string[] }} offered
   * @param {number} quantity
   */
  #slot(section, { bundleItemId, platformProductId, variantIds }, quantity) {
    const product = this.#products.get(platformProductId);
    const allows = (/** @type {Variant} */ { platformVariantId: id }) => !variantIds.length || variantIds.includes(id);
    const variants = product?.variants.filter(allows);
    if (!product || !variants?.length || !(quantity || product.status === "ACTIVE")) return [];
    return [new Slot([bundleItemId, platformProductId].join(), section, product, variants, quantity)];
  }
}

/**
 * The units of a free item that no section offers.
 *
 * @param {GrantedGift} gift
 * @returns {SelectedItem[]}
 */
export function itemsOfGift({ product, variantId: variant, quantity }) {
  return Array(quantity).fill({ variant, product: product.platformProductId, section: NO_SECTION });
}

/**
 * The price of a number of units.
 *
 * @param {string} amount
 * @param {number} count
 */
export const times = (amount, count) => multiply(parse(amount), fromInteger(count));
