/** Publishes and discards drafts, begins a draft from an old revision, and brings a draft up to date. */

import { manage, newKey } from "./api.js";
import { rebased } from "./rebase.js";

/** @import { Revision } from "../types.js" */
/** @import { Clash } from "./plain.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * Publishes the draft. Rejects with an ApiError whose body contains the conflicts (409) or the faults (400).
 *
 * @param {Workspace} workspace
 * @param {{ message?: string, publishAt?: string }} how
 * @returns {Promise<Revision>}
 */
export function publishDraft(workspace, how) {
  return workspace.inTurn(async () => {
    await workspace.readTag();
    const { body } = await manage(`/revisions/${workspace.number}/publish`, {
      method: "POST",
      body: how,
      tag: workspace.tag,
      key: newKey(),
    });
    await workspace.leaveDraft();
    return body;
  });
}

/** @param {Workspace} workspace */
export function discardDraft(workspace) {
  return workspace.inTurn(async () => {
    await workspace.readTag();
    await manage(`/revisions/${workspace.number}/discard`, {
      method: "POST",
      body: {},
      tag: workspace.tag,
      key: newKey(),
    });
    await workspace.leaveDraft();
  });
}

/**
 * Creates a draft that restores a revision, and opens the draft.
 *
 * @param {Workspace} workspace
 * @param {number} number
 */
export async function restoreRevision(workspace, number) {
  const { tag } = await manage(`/revisions/${number}`);
  const { body } = await manage(`/revisions/${number}/revert`, { method: "POST", body: {}, tag, key: newKey() });
  await workspace.readDrafts();
  await workspace.choose(body);
}

/**
 * Replaces this draft with a new one that is based on the live revision. Where the draft and the live revision changed
 * the same part, `takesMine` decides.
 *
 * @param {Workspace} workspace
 * @param {(clash: Clash, kind: string, id: string) => boolean} takesMine
 */
export async function rebaseDraft(workspace, takesMine) {
  const old = workspace.draft;
  if (!old) return;
  const base = (await manage(`/revisions/${old.base}/content`)).body;
  const mine = workspace.content;
  await workspace.inTurn(async () => {
    const { body, tag } = await manage("/revisions", {
      method: "POST",
      body: { message: old.message },
      key: newKey(),
    });
    workspace.live = (await manage("/revisions/live/content")).body;
    workspace.draft = body;
    workspace.tag = tag;
    for (const { kind, id, item } of rebased(base, workspace.live, mine, takesMine)) {
      await workspace.write(`/${kind}/${id}`, item === undefined ? "DELETE" : "PUT", item);
    }
    const { tag: oldTag } = await manage(`/revisions/${old.number}`);
    await manage(`/revisions/${old.number}/discard`, { method: "POST", body: {}, tag: oldTag, key: newKey() });
    await workspace.reload();
  });
}
