/** A product in a section: its variants, the variant that is shown, and the units that a shopper has chosen. */

import { bareId } from "../../client/selection-lines.js";

/** @import { Product, Unit, Variant } from "../types.js" */
/** @import { PersonalisationField, SelectedItem } from "../../client/client.js" */

/**
 * The reason why a variant cannot be bought; "" when it can.
 *
 * @param {Pick<Variant, "available" | "availableForSale">} variant
 */
export function lack({ available, availableForSale }) {
  if (availableForSale === false) return "notSoldInCountry";
  return available ? "" : "soldOut";
}

/** A product in a section, or a required product, which has a `quantity`. */
export class Slot {
  /** @type {Unit[]} */
  units = [];

  /**
   * @param {string} key
   * @param {number} section
   * @param {Product} product
   * @param {readonly Variant[]} variants
   * @param {number} quantity
   */
  constructor(key, section, product, variants, quantity) {
    this.key = key;
    this.section = section;
    this.product = product;
    this.variants = variants;
    this.quantity = quantity;
    /** @type {Variant} */
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

  /** @param {readonly Unit[]} units */
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

  /** @param {Pick<SelectedItem, "variant" | "product">} item */
  has({ variant, product }) {
    return this.product.platformProductId === bareId(product) && this.#variantOf(bareId(variant)) !== undefined;
  }

  /**
   * Adds a unit. Returns whether each of its answers belongs to a field.
   *
   * @param {SelectedItem} item
   * @param {readonly PersonalisationField[]} fields
   */
  choose({ variant, personalisation }, fields) {
    const types = new Map(fields.map(({ key, type }) => [key, type]));
    const given = Object.entries(personalisation ?? {}).filter(([, answer]) => answer);
    const known = given.filter(([key]) => types.has(key));
    const answers = known.map(([key, answer]) => [key, types.get(key) === "checkbox" ? true : String(answer)]);
    this.shown = this.#variantOf(bareId(variant)) ?? this.shown;
    this.units.push({ slot: this, variant: this.shown, answers: Object.fromEntries(answers) });
    return known.length === given.length;
  }

  /** @param {string} id */
  #variantOf(id) {
    return this.variants.find(({ platformVariantId }) => platformVariantId === id);
  }

  /** @param {Variant} variant */
  show(variant) {
    this.shown = variant;
    if (this.quantity) for (const unit of this.units) unit.variant = variant;
  }

  /**
   * Takes over earlier choices that are still offered.
   *
   * @param {Slot} before
   */
  take({ shown, units }) {
    const now = (/** @type {Variant} */ { platformVariantId: id }) => this.#variantOf(id);
    this.shown = now(shown) ?? this.shown;
    const offered = units.map((unit) => ({ ...unit, slot: this, variant: now(unit.variant) }));
    this.units = /** @type {Unit[]} */ (offered.filter(({ variant }) => variant));
    if (this.quantity && this.units.length !== this.quantity) this.clear();
  }
}

/**
 * @param {Pick<Unit, "slot" | "variant" | "answers">} unit
 * @returns {SelectedItem}
 */
export function itemOf({ slot, variant, answers }) {
  const given = Object.entries(answers).filter(([, answer]) => answer);
  const item = { variant: variant.platformVariantId, product: slot.product.platformProductId, section: slot.section };
  return given.length ? { ...item, personalisation: Object.fromEntries(given) } : item;
}
