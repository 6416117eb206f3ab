/** The platform's cart: adds and removes a configured bundle's lines and its entry in the attribute `_bundles`. */

export class CartDataError extends Error {
  name = /** @type {const} */ ("CartDataError");

  /**
   * @param {string} text
   * @param {unknown} cause
   */
  constructor(text, cause) {
    super("The cart attribute _bundles cannot be read.", { cause });
    this.text = text;
  }
}

/** @type {typeof import("./client.js").cartLines} */
export function cartLines({ cart, variant_id }) {
  return cart ? cart.line_items : [{ id: Number(variant_id), quantity: 1, properties: {} }];
}

/** @type {typeof import("./client.js").mergeBundles} */
export function mergeBundles(existingAttribute, { cart }) {
  const entries = entriesIn(existingAttribute);
  return cart ? JSON.stringify({ ...entries, ...entriesIn(cart.attributes._bundles) }) : (existingAttribute ?? "");
}

/** @type {typeof import("./client.js").removeBundle} */
export function removeBundle(cart, configuredBundleId) {
  const mark = `${configuredBundleId}#`;
  const items = cart.items.filter(({ properties }) => !String(properties?._bundle_data).startsWith(mark));
  const { [configuredBundleId]: removed, ...others } = entriesIn(cart.attributes?._bundles);
  const attributes = removed === undefined ? cart.attributes : { ...cart.attributes, _bundles: JSON.stringify(others) };
  return { ...cart, items, attributes };
}

/**
 * @param {unknown} written
 * @returns {Record<string, unknown>}
 */
function entriesIn(written) {
  const text = String(written ?? "");
  try {
    const entries = JSON.parse(text || "{}", exactly);
    if (typeof entries === "object" && entries !== null && !Array.isArray(entries)) return entries;
    throw new TypeError("Not a JSON object.");
  } catch (cause) {
    throw new CartDataError(text, cause);
  }
}

/**
 * Refuses whole numbers that have lost digits in parsing.
 *
 * @param {string} _
 * @param {unknown} value
 */
function exactly(_, value) {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${value} is not exact.`);
  return value;
}
