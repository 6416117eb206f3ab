/** Automatic retries, after an overloaded service has said when to come back. */

const MAX_TRIES = 3;
const MAX_SECONDS = 120;

/**
 * The milliseconds to wait before another attempt; null when there should be none. `tries` is the number of earlier attempts.
 *
 * @param {{ readonly name?: string, readonly status?: number, readonly retryAfter?: number | null }} error
 * @param {number} tries
 */
export function waitBeforeTry({ status, retryAfter }, tries) {
  const isBusy = [429, 503].includes(/** @type {number} */ (status)) && typeof retryAfter === "number";
  if (!isBusy || retryAfter > MAX_SECONDS || tries >= MAX_TRIES) return null;
  // Pages that were refused at the same time must not all come back at the same time.
  return (retryAfter + Math.random()) * 1000;
}
