/** Changes to the draft that are stored immediately: whole bundles, products, and features of the shop. */

/** @import { Bundle, OwnProduct } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** Adds a bundle under the next free id. @param {Workspace} workspace @param {Omit<Bundle, "id">} bundle @returns {Promise<Bundle>} */
export async function addBundle(workspace, bundle) {
  const made = await workspace.writeAnyway("/bundles", "POST", bundle);
  workspace.note(made);
  return made;
}

/** Copies a bundle in the draft under the next free id. @param {Workspace} workspace @param {number} id @returns {Promise<Bundle>} */
export async function duplicateBundle(workspace, id) {
  const made = await workspace.writeAnyway(`/bundles/${id}/duplicate`, "POST", {});
  workspace.note(made);
  return made;
}

/** @param {Workspace} workspace @param {number} id */
export async function removeBundle(workspace, id) {
  await workspace.writeAnyway(`/bundles/${id}`, "DELETE");
  workspace.content = { ...workspace.content, bundles: workspace.content.bundles.filter((bundle) => bundle.id !== id) };
  workspace.tellSaved();
}

/** Stores one of the shop's own products. @param {Workspace} workspace @param {OwnProduct & Record<string, unknown>} product */
export async function putProduct(workspace, product) {
  await workspace.writeAnyway(`/products/${product.id}`, "PUT", product);
  const others = workspace.content.products.filter(({ id }) => id !== product.id);
  workspace.content = { ...workspace.content, products: [...others, product] };
}

/** Turns a feature of the shop on. @param {Workspace} workspace @param {string} feature */
export async function turnOnFeature(workspace, feature) {
  const activeFeatures = [...(workspace.content.shop.activeFeatures ?? []), feature];
  await workspace.writeAnyway("/shop", "PATCH", { activeFeatures });
  workspace.content = { ...workspace.content, shop: { ...workspace.content.shop, activeFeatures } };
  workspace.tellSaved();
}
