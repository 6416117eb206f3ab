/** Bundles of a live platform, and the bundles that are created from them. */

import { manage } from "./api.js";

/** @import { Bundle, RequiredProduct } from "../types.js" */

/**
 * `componentsPrice`: the price of the contents without the bundle; null unless all components are known and have fixed
 * quantities. `faults`: the reasons why the bundle cannot be recreated here.
 *
 * @typedef {{
 *   platformProductId: string, platformVariantId: string | null, title: string, imageUrl: string, prices: string[],
 *   componentsPrice: { lowest: string, highest: string } | null, faults: string[],
 *   components: { platformProductId: string, title: string, variantIds: string[], quantity: number }[],
 * }} PlatformBundle
 */

/**
 * One page of the bundles that exist on the shop's platform.
 *
 * @param {string} after
 * @returns {Promise<{ bundles: PlatformBundle[], next: string }>}
 */
export async function platformBundles(after) {
  const { body, next } = await manage(`/platform-bundles${after ? `?${new URLSearchParams({ cursor: after })}` : ""}`);
  return { bundles: body, next };
}

/**
 * A bundle with the same products at the same price. It is not visible to shoppers yet: the product that it is sold as must still be
 * chosen.
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

/**
 * The bundle with the same products, variants and quantities as a platform's bundle; undefined when there is none, or
 * when the platform's bundle cannot be recreated.
 *
 * @template {Pick<Bundle, "requiredProducts">} Made
 * @param {PlatformBundle} found
 * @param {readonly Made[]} bundles
 * @returns {Made | undefined}
 */
export function sameContents(found, bundles) {
  if (found.faults.length) return undefined;
  const contents = contentsOf(bundleFrom(found).requiredProducts);
  return bundles.find(({ requiredProducts }) => contentsOf(requiredProducts) === contents);
}

/** Required products as a text that does not depend on their order. @param {readonly RequiredProduct[]} [required] */
function contentsOf(required = []) {
  return required
    .map(
      ({ platformProductId, variantIds = [], quantity = 1 }) =>
        `${quantity}*${platformProductId}:${[...variantIds].sort()}`,
    )
    .sort()
    .join(" ");
}

/**
 * The smallest and the largest saving compared with the components, in percent; null when the bundle may cost more,
 * saves nothing, or cannot be compared.
 *
 * @param {PlatformBundle} found
 * @returns {{ least: number, most: number } | null}
 */
export function savingOf({ prices, componentsPrice }) {
  const [price, ...others] = prices.map(Number);
  if (price === undefined || others.length || !componentsPrice) return null;
  const least = percentOff(price, Number(componentsPrice.lowest));
  const most = percentOff(price, Number(componentsPrice.highest));
  return least < 0 || most <= 0 ? null : { least, most };
}

/** @param {number} price @param {number} full */
function percentOff(price, full) {
  return full ? ((full - price) / full) * 100 : -price;
}
