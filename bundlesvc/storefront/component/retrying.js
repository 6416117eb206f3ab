/** Fetching again by itself, after a service that is too busy has said when. */

const MAX_TRIES = 3;
const MAX_SECONDS = 120;

/**
 * The milliseconds to wait before another try; null when there should be none. `tries` is the number of those before.
 *
 * @param {{ readonly name?: string, readonly status?: number, readonly retryAfter?: number | null }} error
 * @param {number} tries
 */
export function waitBeforeTry({ status, retryAfter }, tries) {
  const isBusy = [429, 503].includes(/** @type {number} */ (status)) && typeof retryAfter === "number";
  if (!isBusy || retryAfter > MAX_SECONDS || tries >= MAX_TRIES) return null;
  // Pages that were refused together do not come back together.
  return (retryAfter + Math.random()) * 1000;
}
