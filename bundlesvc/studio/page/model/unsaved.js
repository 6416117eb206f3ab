/** Unsaved changes to a bundle, in the browser's storage, which outlives the page. */

/** @import { Bundle } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** @typedef {{ base: Bundle, now: Bundle }} Unsaved a bundle as it was saved last, and as it is now */

/** @param {Workspace} workspace @param {number} id @returns {Unsaved | null} */
export function readUnsaved(workspace, id) {
  return JSON.parse(localStorage.getItem(placeOf(workspace, id)) || "null");
}

/** @param {Workspace} workspace @param {number} id @param {Unsaved} unsaved */
export function storeUnsaved(workspace, id, unsaved) {
  localStorage.setItem(placeOf(workspace, id), JSON.stringify(unsaved));
}

/** @param {Workspace} workspace @param {number} id */
export function forgetUnsaved(workspace, id) {
  localStorage.removeItem(placeOf(workspace, id));
}

/** The ids of bundles with changes that an earlier page could not save. @param {Workspace} workspace */
export function unsavedIds(workspace) {
  const beginning = placeOf(workspace, "");
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(beginning))
    .map((key) => Number(key.slice(beginning.length)));
}

/** @param {Workspace} workspace @param {number | string} id */
function placeOf({ shop }, id) {
  return `bundlesvc-studio-unsaved-${shop.handle}-${id}`;
}
