/** The cart: data in the platform's format, stored in this browser, with notes of what the page showed for each bundle. */

import { CartDataError, cartLines, encodeSelection, mergeBundles, removeBundle } from "/storefront/client/client.js";

/** @typedef {import("../../storefront/client/client.js").ConfigureResult} ConfigureResult */
/** @typedef {import("../../storefront/client/client.js").MovedBundle} MovedBundle */
/** @typedef {import("../../storefront/client/client.js").EmbedBundle} EmbedBundle */
/** @typedef {import("../../storefront/client/client.js").SelectedItem} SelectedItem */
/** @typedef {import("../../storefront/client/client.js").Pricing} Pricing */
/** @typedef {import("../../storefront/client/client.js").Presentment} Presentment */

/** @typedef {{ id: number, quantity: number, properties: Readonly<Record<string, string>> }} CartItem */
/** @typedef {{ items: readonly CartItem[], attributes: Readonly<Record<string, string>> }} Cart the data that a platform stores */

/**
 * What the cart stores about a bundle in order to show and edit it. `pricing` and `presentment` are the promised price,
 * in the shop's and in the market's currency, `country` is the country for which it was promised, and `isSubscribed`
 * says whether it is a subscriber's price. `page` and `selection` (as text) open the bundle for editing. `isLeft` says
 * that the bundle could not be moved to the shopper's new country.
 * @typedef {{ title: string, imageUrl: string, contents: string[], pricing: Pricing, presentment: Presentment | undefined,
 *   country: string, isSubscribed: boolean, page: number | null, selection: string, isLeft?: boolean }} Note
 */

/**
 * A bundle in the cart. `data` is the `_bundle_data` of its lines. `configuredId` and `data` are null for a ghost
 * variant.
 * @typedef {{ key: string, configuredId: number | null, data: string | null, variantId: number, quantity: number,
 *   note: Note }} Entry
 */

const STORAGE_KEY = "bundlesvc-demo-cart";
const EMPTY = { items: [], attributes: {} };

export class CartStore extends EventTarget {
  /** @type {Cart} */
  cart = EMPTY;
  /** The notes, by the key of their entry. @type {Record<string, Note>} */
  #notes = {};

  constructor() {
    super();
    this.#read();
    window.addEventListener("storage", ({ key }) => {
      if (key !== STORAGE_KEY) return;
      this.#read();
      this.dispatchEvent(new Event("change"));
    });
  }

  /** The bundles in the order in which they were added. @returns {Entry[]} */
  get entries() {
    /** @type {Map<string, Entry>} */
    const entries = new Map();
    for (const { id, quantity, properties } of this.cart.items) {
      const data = properties._bundle_data ?? null;
      const configuredId = Number(data?.split("#")[0]) || null;
      const key = keyOf(configuredId, id);
      const note = this.#notes[key];
      if (entries.has(key) || !note) continue;
      entries.set(key, { key, configuredId, data, variantId: id, quantity: configuredId ? 1 : quantity, note });
    }
    return [...entries.values()];
  }

  get count() {
    return this.entries.reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /**
   * Adds a configured bundle, in place of the entry `replaced` if there is one. Equal lines are merged, as on a
   * platform.
   *
   * @param {{ result: ConfigureResult, bundle: EmbedBundle, selection: { items: readonly SelectedItem[] } }} added
   * @param {{ country: string, bundle: number | null }} state
   * @param {Entry} [replaced]
   */
  add({ result, bundle, selection }, { country, bundle: page }, replaced) {
    const { name: title, imageUrl } = bundle;
    const contents = contentsOf(bundle, selection.items);
    const isSubscribed = result.subscription_id !== null;
    const { pricing, presentment } = result;
    const text = encodeSelection(selection);
    const note = { title, imageUrl, contents, pricing, presentment, country, isSubscribed, page, selection: text };
    this.#put(result, note, replaced);
  }

  /**
   * Replaces a bundle with the result of configuring it for another country.
   *
   * @param {MovedBundle} moved
   * @param {string} country
   */
  move({ configuredBundleId, result }, country) {
    const entry = this.#entry(configuredBundleId);
    if (!entry) return;
    const { pricing, presentment } = result;
    this.#put(result, { ...entry.note, pricing, presentment, country, isLeft: false }, entry);
  }

  /** Marks a bundle that could not be moved to the shopper's new country. */
  mark(/** @type {number} */ configuredBundleId) {
    const entry = this.#entry(configuredBundleId);
    if (!entry) return;
    this.#notes[entry.key] = { ...entry.note, isLeft: true };
    this.#become(this.cart);
  }

  #entry(/** @type {number} */ configuredBundleId) {
    return this.entries.find(({ configuredId }) => configuredId === configuredBundleId);
  }

  #put(/** @type {ConfigureResult} */ result, /** @type {Note} */ note, /** @type {Entry | undefined} */ replaced) {
    const cart = replaced ? this.#without(replaced) : this.cart;
    const count = result.cart ? 1 : (replaced?.quantity ?? 1);
    const lines = cartLines(result).map((line) => ({ ...line, quantity: line.quantity * count }));
    this.#notes[keyOf(result.cart ? result.configured_bundle_id : null, lines[0].id)] = note;
    const _bundles = merged(cart.attributes._bundles, result);
    const attributes = _bundles ? { ...cart.attributes, _bundles } : cart.attributes;
    this.#become({ items: lines.reduce(withLine, cart.items), attributes });
  }

  /** Removes a bundle, and its entry in the attribute. */
  remove(/** @type {Entry} */ entry) {
    this.#become(this.#without(entry));
  }

  /** Empties the cart after a purchase. */
  clear() {
    this.#notes = {};
    this.#become(EMPTY);
  }

  #without(/** @type {Entry} */ { key, configuredId, variantId }) {
    delete this.#notes[key];
    if (configuredId) return removeBundle(this.cart, configuredId);
    return { ...this.cart, items: this.cart.items.filter(({ id }) => id !== variantId) };
  }

  #become(/** @type {Cart} */ cart) {
    this.cart = cart;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ cart, notes: this.#notes }));
    } catch {
      // The browser stores nothing: the cart lasts as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }

  #read() {
    try {
      const { cart, notes } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") ?? {};
      this.cart = { ...EMPTY, ...cart };
      this.#notes = { ...notes };
    } catch {
      this.cart = EMPTY;
    }
  }
}

/** @returns {string} */
function keyOf(/** @type {number | null} */ configuredId, /** @type {number} */ variantId) {
  return configuredId ? `bundle ${configuredId}` : `variant ${variantId}`;
}

/** The attribute with the bundle's entry added. An unreadable attribute is replaced. @returns {string} */
function merged(/** @type {string | undefined} */ attribute, /** @type {ConfigureResult} */ result) {
  try {
    return mergeBundles(attribute, result);
  } catch (error) {
    if (!(error instanceof CartDataError)) throw error;
    return mergeBundles(null, result);
  }
}

/** @returns {readonly CartItem[]} */
function withLine(/** @type {readonly CartItem[]} */ items, /** @type {CartItem} */ line) {
  const isEqual = (/** @type {CartItem} */ item) =>
    item.id === line.id && JSON.stringify(item.properties) === JSON.stringify(line.properties);
  if (!items.some(isEqual)) return [...items, line];
  return items.map((item) => (isEqual(item) ? { ...item, quantity: item.quantity + line.quantity } : item));
}

/** The selection in words: "2 × First Light, 250 g". @returns {string[]} */
function contentsOf(/** @type {EmbedBundle} */ { products }, /** @type {readonly SelectedItem[]} */ items) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { variant } of items) counts.set(variant, (counts.get(variant) ?? 0) + 1);
  return [...counts].map(([id, count]) => {
    const product = products.find(({ variants }) => variants.some((one) => one.platformVariantId === id));
    const variant = product?.variants.find((one) => one.platformVariantId === id);
    const name = product && product.variants.length > 1 ? `${product.title}, ${variant?.title}` : product?.title;
    return `${count}\u00a0× ${name ?? id}`;
  });
}
