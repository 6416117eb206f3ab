/** Lets the bundles of a cart follow the shopper's country. */

import { useEffect, useRef } from "react";

import { configureForCountry } from "../client/client.js";

/** @type {typeof import("./react.js").useCartCountry} */
export function useCartCountry(client, items, countryCode, onMoved, { api, email } = {}) {
  const latest = useRef(onMoved);
  useEffect(() => {
    latest.current = onMoved;
  });
  useEffect(() => {
    const moving = new AbortController();
    const { signal } = moving;
    configureForCountry(client, items, countryCode, { api, email, signal }).then(
      (change) => !signal.aborted && (change.moved.length || change.kept.length) && latest.current(change),
      () => {}, // aborted: whatever else fails is in `kept`
    );
    return () => moving.abort();
  }, [client, items, countryCode, api, email]);
}
