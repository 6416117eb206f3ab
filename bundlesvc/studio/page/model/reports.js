/** What shoppers have done: what they have bought, and how many have seen an A/B test. */

import { ApiError, manage } from "./api.js";

/** @import { Sales } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** What each bundle has sold in the last 30 days, by its id. @returns {Promise<Map<number, Sales>>} */
export async function recentSales() {
  /** @type {{ rows: Sales[] }} */
  const { rows } = (await manage("/reports/bundles")).body;
  return new Map(rows.map((row) => [row.bundleId, row]));
}

/**
 * How many visitors were counted for an A/B test; undefined when that cannot be read.
 *
 * @param {Workspace} workspace
 * @param {string} id
 * @returns {Promise<number | undefined>}
 */
export async function visitorsOf(workspace, id) {
  if (!workspace.live.experiments.some((each) => each.id === id)) return 0;
  try {
    /** @type {{ arms: { visitors: number }[] }} */
    const { arms } = (await manage(`/experiments/${encodeURIComponent(id)}/results`)).body;
    return arms.reduce((sum, { visitors }) => sum + visitors, 0);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}
