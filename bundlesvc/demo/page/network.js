/** A network as bad as you like: the page's `fetch`, wrapped before anything else calls it. */

const SLOW_MS = 2500;

/** What can be switched to, with words for the switch. @type {Readonly<Record<string, string>>} */
export const NETWORKS = {
  normal: "as it is",
  slow: "slow (2.5 s more)",
  offline: "offline",
  500: "answers with 500",
  429: "answers with 429",
};

const send = window.fetch.bind(window);
let network = "normal";

/** Switch; whoever waits to be online again is told. */
export function setNetwork(/** @type {string} */ name) {
  const wasOffline = network === "offline";
  network = name;
  if (wasOffline && network !== "offline") window.dispatchEvent(new Event("online"));
}

window.fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input), document.baseURI);
  if (pathname !== "/demo/shop.json") {
    if (network === "offline") throw new TypeError("Failed to fetch (the demo's network is offline)");
    if (network === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (network === "500") return failure(500, "internal_error", "The demo's network answers with 500.");
    if (network === "429") return failure(429, "rate_limited", "The demo's network answers with 429.");
  }
  return send(input, init);
};

/**
 * An error answer as the service gives them.
 *
 * @param {number} status
 * @param {string} code
 * @param {string} error
 */
function failure(status, code, error) {
  return Response.json({ error, code, requestId: "demo" }, { status, headers: { "Retry-After": "1" } });
}
