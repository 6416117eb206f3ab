/** The known products by id, with their titles and pictures. */

import { manage } from "./api.js";
import { draftClient } from "./draft-client.js";

/** @import { OwnProduct, Product } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** The number of products shown at a time. */
const PART = 60;

export class Catalogue {
  /** @type {Map<string, Product>} */
  #known = new Map();

  /** @param {Workspace} workspace */
  constructor(workspace) {
    this.#workspace = workspace;
  }

  #workspace;

  /** @param {string | number | undefined} id */
  get(id) {
    return this.#known.get(String(id)) ?? this.#own(String(id));
  }

  /** @param {string | number | undefined} id */
  title(id) {
    return this.get(id)?.title ?? `#${id}`;
  }

  /** The product with a variant, if it is known. @param {number} id @returns {Product | undefined} */
  ofVariant(id) {
    const has = (/** @type {Product} */ { variants }) => variants.some((each) => each.platformVariantId === String(id));
    return [...this.#known.values()].find(has) ?? this.#workspace.content.products.map(asFound).find(has);
  }

  /** @param {readonly Product[]} products */
  note(products) {
    for (const product of products) this.#known.set(product.platformProductId, product);
  }

  /**
   * Fetches a bundle's products from a live platform. The catalogue of a shop on the embedded platform already contains
   * them.
   *
   * @param {number} bundleId
   */
  async readBundle(bundleId) {
    if (this.#workspace.isEmbedded) return;
    this.note(await draftClient(this.#workspace).products(bundleId));
  }

  /**
   * One page of the products to choose from, without the products that bundles are sold as.
   *
   * @param {string} text
   * @param {string} after the `next` of the part before; "" for the first
   * @param {AbortSignal} signal
   * @returns {Promise<{ products: Product[], next: string }>}
   */
  async search(text, after, signal) {
    const isOwn = this.#workspace.isEmbedded;
    const { products, next } = isOwn
      ? this.#ownWith(text, Number(after))
      : await platformProducts(text, after, PART, signal);
    this.note(products);
    const sold = new Set(this.#workspace.content.bundles.map(({ platformProductId }) => String(platformProductId)));
    return { products: products.filter(({ platformProductId }) => !sold.has(platformProductId)), next };
  }

  /** One page of the draft's products whose titles contain a text. @param {string} text @param {number} start */
  #ownWith(text, start) {
    const wanted = text.toLowerCase();
    const found = this.#workspace.content.products.filter(({ title }) => title.toLowerCase().includes(wanted));
    const end = start + PART;
    return { products: found.slice(start, end).map(asFound), next: end < found.length ? String(end) : "" };
  }

  /** A product of the draft itself. @param {string} id */
  #own(id) {
    const product = this.#workspace.content.products.find((each) => String(each.id) === id);
    return product && asFound(product);
  }
}

/** A product of a catalogue, in the form of a search result. @param {OwnProduct} product @returns {Product} */
function asFound(product) {
  return {
    platformProductId: String(product.id),
    title: product.title,
    imageUrl: product.imageUrl ?? "",
    status: product.status ?? "ACTIVE",
    variants: (product.variants ?? []).map((variant) => ({
      platformVariantId: String(variant.id),
      title: variant.title ?? "",
      price: variant.price,
    })),
  };
}

/**
 * One page of the products on the shop's platform that contain the words of a text.
 *
 * @param {string} text
 * @param {string} after the `next` of the part before; "" for the first
 * @param {number} limit
 * @param {AbortSignal} signal
 * @returns {Promise<{ products: Product[], next: string }>}
 */
async function platformProducts(text, after, limit, signal) {
  const query = new URLSearchParams({ search: text, limit: String(limit), ...(after ? { cursor: after } : {}) });
  const { body, next } = await manage(`/products?${query}`, { signal });
  return { products: body.products, next };
}
