/** Reports: what shoppers have bought, and how many visitors an A/B test has had. */

import { ApiError, manage } from "./api.js";

/** @import { Sales } from "../types.js" */
/** @import { Workspace } from "./workspace.js" */

/** The sales of each bundle in the last 30 days, by the bundle's id. @returns {Promise<Map<number, Sales>>} */
export async function recentSales() {
  /** @type {{ rows: Sales[] }} */
  const { rows } = (await manage("/reports/bundles")).body;
  return new Map(rows.map((row) => [row.bundleId, row]));
}

/**
 * The number of visitors counted for an A/B test; undefined when it cannot be read.
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
