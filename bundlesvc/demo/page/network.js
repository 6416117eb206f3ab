/** Simulates network faults: wraps the page's `fetch` and `navigator.onLine` before anything else uses them. */

const SLOW_MS = 2500;

/** The simulated network conditions, with their labels. @type {Readonly<Record<string, string>>} */
export const NETWORKS = {
  normal: "normal",
  slow: "slow (adds 2.5 s)",
  offline: "offline",
  500: "every response is a 500",
  429: "every response is a 429",
};

const send = window.fetch.bind(window);
let network = "normal";
Object.defineProperty(navigator, "onLine", { get: () => network !== "offline" });

/** Switches to a network condition. Leaving "offline" dispatches the event `online`. */
export function setNetwork(/** @type {string} */ name) {
  const wasOffline = network === "offline";
  network = name;
  if (wasOffline && network !== "offline") window.dispatchEvent(new Event("online"));
}

window.fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input), document.baseURI);
  if (pathname !== "/demo/shop.json" && !pathname.endsWith("/bundles")) {
    if (network === "offline") throw new TypeError("Failed to fetch (the demo simulates being offline)");
    if (network === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (network === "500") return failure(500, "internal_error", "The demo simulates status 500.");
    if (network === "429") return failure(429, "rate_limited", "The demo simulates status 429.");
  }
  return send(input, init);
};

/**
 * An error response in the service's format.
 *
 * @param {number} status
 * @param {string} code
 * @param {string} error
 */
function failure(status, code, error) {
  return Response.json({ error, code, requestId: "demo" }, { status, headers: { "Retry-After": "1" } });
}
