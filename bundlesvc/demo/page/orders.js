/** Test orders: the requests that place an order, fetch it, and quote refunds. */

/** @import { BoughtOrder, RefundQuote, Shop } from "./types.js" */
/** @typedef {import("./cart.js").Cart & { countryCode?: string, visitorId?: string }} Purchase */

const ORDERS = "/demo/orders";

/**
 * @param {Shop} shop
 * @param {Purchase} purchase
 * @returns {Promise<BoughtOrder | null>} null when nothing in the cart belongs to a bundle
 */
export async function placeOrder(shop, purchase) {
  return (await request(shop, ORDERS, purchase)).order;
}

/**
 * @param {Shop} shop
 * @param {string} id
 * @returns {Promise<BoughtOrder>}
 */
export function fetchOrder(shop, id) {
  return request(shop, `${ORDERS}/${id}`);
}

/**
 * The refunds for returned lines, one for each policy.
 *
 * @param {Shop} shop
 * @param {string} id
 * @param {readonly { line: string, quantity: number }[]} lines
 * @param {AbortSignal} signal
 * @returns {Promise<readonly RefundQuote[]>}
 */
export async function quoteReturn(shop, id, lines, signal) {
  return (await request(shop, `${ORDERS}/${id}/returns`, { lines }, signal)).quotes;
}

/**
 * @param {Shop} shop
 * @param {string} path
 * @param {unknown} [sent] default: nothing, which is a GET
 * @param {AbortSignal} [signal]
 */
async function request({ apiKey }, path, sent, signal) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const body = sent === undefined ? undefined : JSON.stringify(sent);
  const response = await fetch(path, { method: body ? "POST" : "GET", headers, body, signal });
  const received = await response.json();
  if (!response.ok) throw new Error(received.error);
  return received;
}
