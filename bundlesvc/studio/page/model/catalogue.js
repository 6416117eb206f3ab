/** Products by their ids, as far as they are known: their titles and pictures. */

import { draftClient } from "./draft-client.js";

/** @import { OwnProduct, Product } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** The most products to show at once. */
const MOST = 60;

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

  /** @param {readonly Product[]} products */
  note(products) {
    for (const product of products) this.#known.set(product.platformProductId, product);
  }

  /** Reads the products of a bundle, where the shop's own catalogue does not have them. @param {number} bundleId */
  async readBundle(bundleId) {
    if (this.#workspace.isEmbedded) return;
    this.note(await draftClient(this.#workspace).products(bundleId));
  }

  /** Products to choose from; those that bundles are sold as are none. @param {string} text @param {AbortSignal} [signal] */
  async search(text, signal) {
    const found = this.#workspace.isEmbedded ? this.#ownWith(text) : await this.#workspace.products(text, signal);
    this.note(found);
    const sold = new Set(this.#workspace.content.bundles.map(({ platformProductId }) => String(platformProductId)));
    return found.filter(({ platformProductId }) => !sold.has(platformProductId)).slice(0, MOST);
  }

  /** The products of the draft with a text in their titles. @param {string} text @returns {Product[]} */
  #ownWith(text) {
    const wanted = text.toLowerCase();
    return this.#workspace.content.products.filter(({ title }) => title.toLowerCase().includes(wanted)).map(asFound);
  }

  /** A product of the draft itself. @param {string} id */
  #own(id) {
    const product = this.#workspace.content.products.find((each) => String(each.id) === id);
    return product && asFound(product);
  }
}

/** A product of a catalogue in the form that a search finds it. @param {OwnProduct} product @returns {Product} */
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
