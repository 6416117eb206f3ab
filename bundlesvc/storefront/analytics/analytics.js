/** The component's events as GA4's ecommerce events (docs/web-component.md#analytics). Types and documentation: analytics.d.ts. */

import { decimal } from "../client/client.js";

/** @import { BundleAddToCart, BundleChange, BundleReady } from "../bundle-builder.js" */
/** @import { EmbedBundle, SelectedItem } from "../client/client.js" */

const { parse, subtract, toPlain } = decimal;

/**
 * The data about an element: its bundle, and the number of chosen units of each kind (null until first reported).
 *
 * @typedef {{ bundle: EmbedBundle, counts: Map<string, number> | null }} Shown
 */

/** @type {typeof import("./analytics.js").measure} */
export function measure(target, send, options) {
  /** @type {WeakMap<EventTarget, Shown>} */
  const all = new WeakMap();

  /**
   * @template Detail
   * @param {string} name
   * @param {(detail: Detail, host: EventTarget) => void} act
   */
  const on = (name, act) => {
    target.addEventListener(
      name,
      (event) => act(/** @type {CustomEvent<Detail>} */ (event).detail, event.composedPath()[0]),
      options,
    );
  };

  on("bundle:ready", (/** @type {BundleReady} */ { bundle }, host) => {
    if (all.get(host)?.bundle.id !== bundle.id) send("view_item", { items: [itemOf(bundle)] });
    all.set(host, { bundle, counts: null });
  });
  on("bundle:change", (/** @type {BundleChange} */ { selection }, host) => {
    const shown = all.get(host);
    if (!shown) return;
    const { bundle, counts } = shown;
    shown.counts = countsOf(selection.items);
    for (const [key, count] of shown.counts) {
      const quantity = count - (counts?.get(key) ?? 0);
      if (counts && quantity > 0) send("select_item", chosen(bundle, key, quantity));
    }
  });
  on("bundle:addtocart", (/** @type {BundleAddToCart} */ { bundle, result }) => {
    const { currency, originalPrice, discountedPrice } = result.presentment ?? result.pricing;
    const price = Number(discountedPrice);
    const discount = Number(toPlain(subtract(parse(originalPrice), parse(discountedPrice))));
    send("add_to_cart", { currency, value: price, items: [{ ...itemOf(bundle), price, discount, quantity: 1 }] });
  });
}

/** @param {EmbedBundle} bundle */
const itemOf = ({ id, name }) => ({ item_id: String(id), item_name: name });

/**
 * The number of units by section and variant. Required products and free items are left out, because the shopper does
 * not choose them.
 *
 * @param {readonly SelectedItem[]} items
 */
function countsOf(items) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { variant, section } of items) {
    const key = `${section} ${variant}`;
    if (section) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * @param {EmbedBundle} bundle
 * @param {string} key
 * @param {number} quantity
 */
function chosen({ sections, products, settings }, key, quantity) {
  const [list, id] = key.split(" ");
  const variants = products.flatMap((product) => product.variants.map((one) => ({ ...one, name: product.title })));
  const variant = variants.find((one) => one.platformVariantId === id);
  const price = Number(variant?.presentmentPrice ?? variant?.priceInShopCurrency ?? variant?.price);
  return {
    currency: variant?.presentmentCurrency ?? settings.currency,
    item_list_id: list,
    item_list_name: sections.find((one) => String(one.id) === list)?.name,
    items: [{ item_id: id, item_name: variant?.name ?? "", item_variant: variant?.title, price, quantity }],
  };
}
