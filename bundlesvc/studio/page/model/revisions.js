/** Fetches the list of revisions, and the changes and findings of a single revision. */

import { manage, newKey } from "./api.js";

/** @import { Change, Finding, Replayed, Revision } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** The newest revisions of the shop. @returns {Promise<Revision[]>} */
export async function newestRevisions() {
  return (await manage("/revisions?limit=100")).body;
}

/** The linter's findings about what is shown. @param {Workspace} workspace @returns {Promise<Finding[]>} */
export async function lint(workspace) {
  if (workspace.file) return [...workspace.file.findings];
  return (await manage(`/revisions/${workspace.number}/lint`)).body.findings;
}

/**
 * The changes in a revision, compared with another revision.
 *
 * @param {number} number
 * @param {string} [against]
 * @returns {Promise<Change[]>}
 */
export async function diff(number, against = "live") {
  return (await manage(`/revisions/${number}/diff?against=${against}`)).body.changes;
}

/** The effect that a revision would have had on what shoppers have configured. @param {number} number @returns {Promise<Replayed[]>} */
export async function replay(number) {
  return (await manage(`/revisions/${number}/replay`, { method: "POST", body: {}, key: newKey() })).body.bundles;
}

/**
 * The revisions that are scheduled to be published by a time, in the order of publication, each with the tag of its
 * content.
 *
 * @param {Workspace} workspace
 * @param {string} time a local time of the shop, such as 2026-11-27T00:00
 * @returns {Promise<{ revision: Revision, tag: string }[]>}
 */
export async function scheduledBy(workspace, time) {
  /** @type {Revision[]} */
  const all = (await manage("/revisions?state=scheduled&limit=100")).body;
  const due = all
    .filter(({ publishAt, problem }) => publishAt && !problem && workspace.localTime(publishAt) <= time)
    .sort((one, other) => Date.parse(one.publishAt ?? "") - Date.parse(other.publishAt ?? ""));
  const read = due.map(async ({ number }) => manage(`/revisions/${number}`));
  return (await Promise.all(read)).map(({ body, tag }) => ({ revision: body, tag }));
}
