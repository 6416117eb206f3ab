/** The function: target `cart.transform.run`, export `cart-transform-run`. */

import { transform } from "./transform.js";

/**
 * One merge for each bundle that is as it was configured. All other lines stay as they are and are charged in full.
 *
 * @param {object} input what input.graphql asks for
 * @returns {{operations: object[]}} a `CartTransformRunResult`
 */
export function cartTransformRun(input) {
  return { operations: transform(input).merges.map((merge) => ({ linesMerge: linesMerge(merge) })) };
}

/** What is empty is left out: the platform then takes the parent variant's own. */
function linesMerge({ mark, title, image, lines, percentage }) {
  return {
    parentVariantId: `gid://shopify/ProductVariant/${mark.parent}`,
    cartLines: lines.map(({ id, quantity }) => ({ cartLineId: id, quantity })),
    // Leads from the order back to the configured bundle, and keeps bundles of one parent variant apart.
    attributes: [{ key: "_bundle_data", value: `${mark.configured}#${mark.parent}#${mark.unique}` }],
    ...(title && { title }),
    ...(image.startsWith("https://") && { image: { url: image } }),
    ...(percentage !== "0" && { price: { percentageDecrease: { value: percentage } } }),
  };
}
