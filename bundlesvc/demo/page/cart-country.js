/**
 * Makes the cart follow the shopper's country: its bundles are configured again there, because a promise may be valid in one market
 * only.
 */

import { announce } from "./dom.js";
import { say } from "./words.js";
import { configureForCountry } from "/storefront/client/client.js";

/** @typedef {import("./cart.js").CartStore} CartStore */
/** @typedef {import("../../storefront/client/client.js").Client} Client */

/** Aborts the current move. */
let current = new AbortController();

/**
 * Moves the bundles of the cart to a country ("": none). Of several calls, the latest wins.
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
