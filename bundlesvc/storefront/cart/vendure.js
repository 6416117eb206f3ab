/** Adapter for orders of Vendure's Shop API, for engines with the plugin for bundles. */

/** @type {typeof import("./cart.js").toVendureOrder} */
export function toVendureOrder({ result }) {
  return { configured: result };
}

/** @type {typeof import("./cart.js").removeFromVendureOrder} */
export function removeFromVendureOrder({ lines = [] }, configuredBundleId) {
  const parts = lines.filter((line) => line.bundle?.configured === String(configuredBundleId));
  return { orderLineIds: parts.map(({ id }) => id) };
}
