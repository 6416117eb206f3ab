/** Makes the bundles of a cart follow the shopper's country. */

import { useEffect, useRef } from "react";

import { CartCountry } from "../component/cart-country.js";

/** @type {typeof import("./react.js").useCartCountry} */
export function useCartCountry(client, items, countryCode, onMoved, { api, email } = {}) {
  const latest = useRef(onMoved);
  const follower = useRef(/** @type {CartCountry | null} */ (null));
  useEffect(() => {
    latest.current = onMoved;
  });
  useEffect(() => {
    follower.current ??= new CartCountry((change) => latest.current(change));
    follower.current.follow(client, items, countryCode, { api, email });
    return () => follower.current?.end();
  }, [client, items, countryCode, api, email]);
}
