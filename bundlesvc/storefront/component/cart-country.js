/**
 * Makes the bundles in a cart follow the shopper's country: bundles that were configured for another country are
 * configured again.
 */

import { configureForCountry } from "../client/client.js";

/** @import { CountryChange, CountryChangeOptions, MarkedItem } from "../client/client.js" */

export class CartCountry {
  #moving = new AbortController();
  #emit;
  /** @type {string | null | undefined} */
  #country;
  /** @type {Set<number>} */
  #moved = new Set();

  /**
   * @param {(change: CountryChange) => void} emit receives the bundles that were configured again, and those that could not be
   */
  constructor(emit) {
    this.#emit = emit;
  }

  /**
   * If there are several calls, the latest wins. A bundle is reported only once per country, although it remains among
   * the items until the page has replaced it.
   *
   * @param {Parameters<typeof configureForCountry>[0]} client
   * @param {readonly MarkedItem[]} items
   * @param {string | null} country
   * @param {Omit<CountryChangeOptions, "signal">} [options]
   */
  async follow(client, items, country, options) {
    this.end();
    this.#moving = new AbortController();
    const { signal } = this.#moving;
    if (country !== this.#country) this.#moved.clear();
    this.#country = country;
    try {
      const { moved, kept } = await configureForCountry(client, items, country, { ...options, signal });
      const unreported = moved.filter(({ configuredBundleId }) => !this.#moved.has(configuredBundleId));
      for (const { configuredBundleId } of unreported) this.#moved.add(configuredBundleId);
      if (unreported.length || kept.length) this.#emit({ moved: unreported, kept });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  end() {
    this.#moving.abort();
  }
}
