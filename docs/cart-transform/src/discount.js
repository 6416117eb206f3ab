/** The discount string (docs/discount-string.md): what the service promised, signed and encrypted. */

import { isDecimal } from "./decimal.js";
import { openToken } from "./fernet.js";

const VERSION = 2;
/** It has no `fees` and no `subscription`. Carts hold it until their discounts are too old. */
const FIRST_VERSION = 1;

/**
 * What a discount string says: a selection is taken from `original` to `discounted`. Amounts are decimal strings in the
 * shop's currency; `variants` are units by variant id, or a digest of many, and so are `fees`; `iat` is when it was made, in
 * seconds since 1970. `subscription` is for whoever runs the selling plan: it takes nothing off here.
 *
 * @typedef {{shop: string, bundle: number, configured: number, original: string, discounted: string, currency: string,
 *   variants: Record<string, number> | string, fees?: Record<string, number> | string, unique: string, test: boolean,
 *   iat: number}} Claims
 */

/**
 * @param {string} token the discount string
 * @param {readonly import("./fernet.js").FernetKey[]} keys every one of them opens, so that keys can be rotated
 * @returns {{claims: Claims} | {reason: "discount_broken" | "discount_unreadable"}}
 */
export function openDiscount(token, keys) {
  const opened = openToken(token, keys);
  if (!opened) {
    return { reason: "discount_broken" };
  }
  const claims = parseJson(opened);
  return isKnown(claims) ? { claims } : { reason: "discount_unreadable" };
}

function isKnown(claims) {
  return (
    (claims?.v === FIRST_VERSION || (claims?.v === VERSION && isUnits(claims.fees))) &&
    ["shop", "unique", "currency"].every((name) => typeof claims[name] === "string") &&
    ["bundle", "configured", "iat"].every((name) => Number.isSafeInteger(claims[name])) &&
    ["original", "discounted"].every((name) => isDecimal(claims[name])) &&
    typeof claims.test === "boolean" &&
    isUnits(claims.variants)
  );
}

/** Units by variant id, or their digest. */
function isUnits(value) {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

function parseJson(bytes) {
  try {
    return JSON.parse(utf8(bytes));
  } catch {
    return null;
  }
}

/** A sandbox need not have `TextDecoder`; the language itself reads UTF-8 in percent signs. Throws when it is no UTF-8. */
function utf8(bytes) {
  const latin1 = String.fromCharCode.apply(null, bytes);
  return decodeURIComponent(latin1.replace(/[\x80-\xff%]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`));
}
