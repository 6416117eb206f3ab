/**
 * Configures a cart's bundles again when the shopper's country changes, because a promise may be valid in only one
 * market.
 */

/** @import { CountryChangeOptions, KeptBundle, MarkedItem, MovedBundle } from "./client.js" */

const MARK = /^(\d+)#\d+#([0-9a-f]{32})$/;

/** @type {typeof import("./client.js").configureForCountry} */
export async function configureForCountry(client, items, countryCode, options = {}) {
  /** @type {MovedBundle[]} */
  const moved = [];
  /** @type {KeptBundle[]} */
  const kept = [];
  for (const [configuredBundleId, unique] of bundlesIn(items)) {
    try {
      const bundle = await configureAgain(client, configuredBundleId, unique, countryCode, options);
      if (bundle) moved.push(bundle);
    } catch (error) {
      options.signal?.throwIfAborted();
      kept.push({ configuredBundleId, error });
    }
  }
  return { moved, kept };
}

/**
 * The replacement for a bundle; null when the bundle was already configured for this country.
 *
 * @param {Parameters<typeof import("./client.js").configureForCountry>[0]} client
 * @param {number} configuredBundleId
 * @param {string} unique
 * @param {string | null} countryCode
 * @param {CountryChangeOptions} options
 * @returns {Promise<MovedBundle | null>}
 */
async function configureAgain(client, configuredBundleId, unique, countryCode, { email, api, signal }) {
  const { bundleId, type, selection } = await client.readConfigured(configuredBundleId, unique, { signal });
  const { products, subscription } = selection;
  if ((selection.countryCode ?? null) === countryCode) return null;
  const chosen = subscription && { subscription: { ...subscription, email: addressOf(email) } };
  const body = { type, products, ...(countryCode && { countryCode }), ...chosen };
  const configure = api === "embed" ? client.embed.configure : client.configure;
  const idempotencyKey = `country-${unique}-${countryCode ?? "none"}`;
  const result = await configure(bundleId, body, { idempotencyKey, signal });
  return { configuredBundleId, bundleId, result, selection: { items: products, ...chosen } };
}

/**
 * The unique id of each native bundle in a cart, by the id of the configured bundle.
 *
 * @param {readonly MarkedItem[]} items
 * @returns {Map<number, string>}
 */
function bundlesIn(items) {
  const found = new Map();
  for (const { properties, attributes } of items) {
    const mark = properties?._bundle_data ?? attributes?.find((one) => one?.key === "_bundle_data")?.value;
    const [, id, unique] = MARK.exec(String(mark)) ?? [];
    if (id) found.set(Number(id), unique);
  }
  return found;
}

/** @param {string | undefined} email */
function addressOf(email) {
  if (!email) throw new TypeError("A bundle with a subscription needs the option `email` to be configured again.");
  return email;
}
