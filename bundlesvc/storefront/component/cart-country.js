/** The bundles in a page's cart follow the country of the element: those of another country are configured again. */

import { configureForCountry } from "../client/client.js";

/** @import { Client, CountryChange, MarkedItem } from "../client/client.js" */

export class CartCountry {
  #moving = new AbortController();
  #emit;

  /** @param {(change: CountryChange) => void} emit gets the bundles that were configured again, and those that could not be */
  constructor(emit) {
    this.#emit = emit;
  }

  /**
   * The latest call wins.
   *
   * @param {Client} client
   * @param {readonly MarkedItem[]} items
   * @param {string | undefined} country
   */
  async follow(client, items, country) {
    this.end();
    const { signal } = (this.#moving = new AbortController());
    try {
      const change = await configureForCountry(client, items, country ?? null, { api: "embed", signal });
      if (change.moved.length || change.kept.length) this.#emit(change);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  end() {
    this.#moving.abort();
  }
}
