/** Reads the element's attributes: the service, the bundle and how to show it, and the configured bundle to open. */

import { ServiceError } from "../client/client.js";

/** @import { Client } from "../client/client.js" */
/** @import { Wanted } from "./types.js" */

/** @param {HTMLElement} element */
export const languageOf = (element) => element.closest("[lang]")?.getAttribute("lang") || undefined;

/**
 * The options for requests to the service. Throws when a required attribute is missing.
 *
 * @param {HTMLElement} element
 */
export function optionsOf(element) {
  const get = (/** @type {string} */ name) => element.getAttribute(name) || undefined;
  const [id, productHandle] = [get("bundle-id"), get("product-handle")];
  if (!id && !productHandle && !get("configured")) {
    throw new TypeError("<bundle-builder> needs a bundle-id, a product-handle or configured.");
  }
  const apiKey = get("api-key");
  if (!apiKey) throw new TypeError("<bundle-builder> needs an api-key.");
  return {
    apiKey,
    baseUrl: new URL(get("base-url") ?? "/api/headless/v1", document.baseURI).href,
    ...(id ? { id: Number(id) } : { productHandle }),
    lang: languageOf(element),
    forceTemplate: get("template"),
    visitorId: get("visitor-id"),
    countryCode: get("country"),
  };
}

/** The configured bundle that the attribute `configured` identifies. Its selection is fetched once. */
export class Configured {
  /**
   * The attribute's last value, with the id of the bundle that was configured, or the error that prevented reading it.
   *
   * @type {{ name?: string | null, bundleId?: number, error?: unknown }}
   */
  #last = {};

  /** @param {(wanted: Wanted) => void} want receives the selection to open */
  constructor(want) {
    this.want = want;
  }

  /**
   * The options for the configured bundle; none when the attribute is missing, or when the configured bundle cannot be found and
   * the attributes also name a bundle.
   *
   * @param {Client} client
   * @param {string | null} name
   * @param {{ id?: number, productHandle?: string }} named
   * @param {AbortSignal} signal
   */
  async bundleOf(client, name, { id, productHandle }, signal) {
    if (name !== this.#last.name) {
      this.#last = { name, ...(name && (await this.#read(client, name, signal))) };
    }
    const { bundleId } = this.#last;
    if (bundleId) return { id: bundleId, abBypass: true };
    if (name && !id && !productHandle) throw this.#last.error;
    return {};
  }

  /**
   * @param {Client} client
   * @param {string} name
   * @param {AbortSignal} signal
   */
  async #read(client, name, signal) {
    const [, id, unique] = /^(\d+)(?::|#\d+#)([0-9a-f]{32})$/.exec(name) ?? [];
    if (!id)
      throw new TypeError("configured is the id and the unique id of a configured bundle, with a colon between.");
    try {
      const { bundleId, selection } = await client.readConfigured(id, unique, { signal });
      this.want({ items: selection.products, subscription: selection.subscription });
      return { bundleId };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      this.want({ items: [], isLost: true });
      return { error };
    }
  }
}
