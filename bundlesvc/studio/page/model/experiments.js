/** The A/B tests of a shop. They belong to the draft, but are stored immediately. */

import { ApiError } from "./api.js";
import { isSame, merge, settled } from "./plain.js";

/** @import { Experiment } from "../types.js" */
/** @import { Clash } from "./plain.js" */
/** @import { Workspace } from "./workspace.js" */

const RETRY_MS = 2000;

/**
 * Changes an A/B test from one state to another; undefined means no test. Changes that somebody else has made since
 * `from` are kept; where both changed the same part, `to` wins. If somebody else changes the same part while this
 * change is being written, `ask` decides.
 *
 * @param {Workspace} workspace
 * @param {Experiment | undefined} from
 * @param {Experiment | undefined} to
 * @param {(clashes: readonly Clash[]) => Promise<boolean[]>} ask
 */
export function changeExperiment(workspace, from, to, ask) {
  return workspace.inTurn(async () => {
    const now = from && workspace.content.experiments.find(({ id }) => id === from.id);
    const { merged, clashes } = merge(from, now, to);
    /** @type {Experiment | undefined} */
    const made = settled(
      merged,
      clashes,
      clashes.map(() => true),
    );
    if (made) await put(workspace, made, ask);
    if (from && from.id !== made?.id) await remove(workspace, from.id);
  });
}

/** @param {Workspace} workspace @param {Experiment} experiment @param {(clashes: readonly Clash[]) => Promise<boolean[]>} ask */
async function put(workspace, experiment, ask) {
  const { id } = experiment;
  const path = `/experiments/${encodeURIComponent(id)}`;
  let base = workspace.content.experiments.find((each) => each.id === id);
  let made = experiment;
  for (;;) {
    try {
      const { id: _, ...rest } = made;
      await retrying(() => workspace.write(path, "PUT", rest));
      break;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
    }
    await retrying(() => workspace.readTag());
    const theirs = await retrying(() => workspace.readItem(path));
    const { merged, clashes } = merge(base, theirs, made);
    made = clashes.length ? settled(merged, clashes, await ask(clashes)) : merged;
    base = theirs;
    if (made === undefined || isSame(made, theirs)) break;
  }
  workspace.noteExperiments([
    ...workspace.content.experiments.filter((each) => each.id !== id),
    ...(made ? [made] : []),
  ]);
}

/** @param {Workspace} workspace @param {string} id */
async function remove(workspace, id) {
  await retrying(() => workspace.writeUntilTaken(`/experiments/${encodeURIComponent(id)}`, "DELETE")).catch((error) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error; // it is gone already
  });
  workspace.noteExperiments(workspace.content.experiments.filter((each) => each.id !== id));
}

/**
 * Returns the result of some work, which is retried as long as it fails temporarily.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function retrying(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passes) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(RETRY_MS, error.retryAfter * 1000)));
    }
  }
}
