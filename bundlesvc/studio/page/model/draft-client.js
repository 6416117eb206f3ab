/** The API for the draft, called with the same client that the component and other pages use. */

import { createClient } from "/storefront/client/client.js";

/** @import { Workspace } from "./workspace.js" */

/** A placeholder for a page's key: the session is in a cookie. */
export const NO_KEY = "session";

/**
 * The address of the API for the current content of the draft.
 *
 * @param {Workspace} workspace
 * @param {string} [time] a local time of the shop, as at which the draft is shown; default: with the bundles that are not for sale
 * @param {readonly { tag: string }[]} [scheduled] the revisions that are published until then
 */
export function draftAddress({ number, tag }, time, scheduled = []) {
  const tags = [tag, ...scheduled.map((each) => each.tag)].join("_");
  const content = tags.replace(/[^A-Za-z0-9_-]/g, "").slice(-64) || "none";
  return `${location.origin}/studio/preview/${number}/${content}/${time || "now"}`;
}

/**
 * Fetches the currency of a shop on a live platform. While the platform is unavailable, amounts have no currency.
 *
 * @param {Workspace} workspace
 */
export async function readCurrency(workspace) {
  if (workspace.currency) return;
  const settings = await draftClient(workspace)
    .embed.settings()
    .catch(() => null);
  workspace.platformCurrency = settings?.currency ?? "";
}

/** @param {Workspace} workspace */
export function draftClient(workspace) {
  return createClient({ baseUrl: draftAddress(workspace), apiKey: NO_KEY, retries: 1 });
}
