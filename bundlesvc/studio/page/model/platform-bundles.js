/** Bundles of a live platform, and the bundles that are made of them. */

/** @import { Bundle } from "../types.js" */

/**
 * @typedef {{
 *   platformProductId: string, title: string, imageUrl: string, prices: string[], faults: string[],
 *   components: { platformProductId: string, title: string, variantIds: string[], quantity: number }[],
 * }} PlatformBundle
 */

/**
 * A bundle with the same products at the same price, which shoppers do not see yet: what it is sold as is still to be chosen.
 *
 * @param {PlatformBundle} found
 * @returns {Omit<Bundle, "id">}
 */
export function bundleFrom({ title, imageUrl, prices, components }) {
  return {
    name: title,
    description: "",
    type: "native",
    layout: "single-page",
    published: false,
    ...(imageUrl ? { imageUrl } : {}),
    discount: { type: "price", flatOrTiered: "flat", value: prices[0] ?? "0.00" },
    sections: [],
    requiredProducts: components.map(({ platformProductId, variantIds, quantity }) => ({
      platformProductId: Number(platformProductId),
      variantIds: variantIds.map(Number),
      quantity,
    })),
  };
}
