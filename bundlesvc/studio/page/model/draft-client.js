/** The API over the draft, as the component and other pages would call it. */

import { createClient } from "/storefront/client/client.js";

/** @import { Workspace } from "./workspace.js" */

/** Stands where pages have their key: the session is in a cookie. */
export const NO_KEY = "session";

/** The address of the API over what the draft has now. @param {Workspace} workspace */
export function draftAddress({ number, tag }) {
  return `${location.origin}/studio/preview/${number}/${tag.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 64) || "none"}`;
}

/** @param {Workspace} workspace */
export function draftClient(workspace) {
  return createClient({ baseUrl: draftAddress(workspace), apiKey: NO_KEY, retries: 1 });
}
