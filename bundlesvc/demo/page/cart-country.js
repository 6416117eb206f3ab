/**
 * Makes the cart follow the shopper's country: configures the bundles in the cart again for the new country, because a
 * promise may be valid in only one market.
 */

import { announce } from "./dom.js";
import { say } from "./words.js";
import { configureForCountry } from "/storefront/client/client.js";

/** @typedef {import("./cart.js").CartStore} CartStore */
/** @typedef {import("../../storefront/client/client.js").Client} Client */

/** Aborts the current move. */
let current = new AbortController();

/**
 * Moves the bundles in the cart to a country ("" for none). A new call aborts the previous one.
 *
 * @param {CartStore} store
 * @param {Client} client
 * @param {string} country
 */
export async function moveCart(store, client, country) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  if (store.entries.every(({ configuredId, note }) => !configuredId || note.country === country)) return;
  try {
    const { moved, kept } = await configureForCountry(client, store.cart.items, country || null, { signal });
    signal.throwIfAborted();
    for (const bundle of moved) store.move(bundle, country);
    for (const { configuredBundleId } of kept) store.mark(configuredBundleId);
    if (moved.length) announce(say("moved"));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
