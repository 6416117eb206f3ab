/**
 * Offers the tools of the service to assistants in the browser (WebMCP), in browsers that support it. The assistant
 * calls the tools in the page, with the page's key and limits. A bundle that the assistant configures is passed to the
 * page like a bundle that a shopper buys.
 */

/** @import { Session } from "./session.js" */
/** @import { ModelContext, ToolDefinition, ToolResult } from "./types.js" */
/** @import { ConfigureResult, SelectedItem, ShopperSelection } from "../client/client.js" */

/** @typedef {SelectedItem & { readonly quantity?: number }} CountedItem */

/**
 * Offers the tools until the session ends, unless another element of the page already offers them.
 *
 * @param {HTMLElement} element
 * @param {Session} session
 */
export async function offerTools(element, session) {
  const { modelContext } = /** @type {Document & { modelContext?: ModelContext }} */ (document);
  const context = modelContext ?? /** @type {Navigator & { modelContext?: ModelContext }} */ (navigator).modelContext;
  if (!context?.registerTool || element.getAttribute("tools") === "off") return;
  const { signal } = session.ended;
  const key = element.getAttribute("api-key") ?? "";
  const call = (/** @type {string} */ method, /** @type {object} */ params) =>
    callService(`${session.baseUrl}/mcp`, key, { jsonrpc: "2.0", id: 1, method, params });
  try {
    const { tools } = /** @type {{ tools: readonly ToolDefinition[] }} */ (await call("tools/list", {}));
    for (const { name, title, description, inputSchema, annotations } of tools) {
      const execute = async (/** @type {object} */ given) => {
        const result = /** @type {ToolResult} */ (await call("tools/call", { name, arguments: given ?? {} }));
        if (name === "configure" && !result.isError) handOver(session, given, result);
        return result;
      };
      if (signal.aborted) return;
      await context.registerTool({ name, title, description, inputSchema, annotations, execute }, { signal });
    }
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (name === "InvalidStateError" || signal.aborted) return;
    console.info("<bundle-builder> Assistants in the browser get no tools of this page:", message);
  }
}

/**
 * @param {string} address
 * @param {string} key
 * @param {object} message
 * @returns {Promise<unknown>}
 */
async function callService(address, key, message) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(message) });
  const { result, error } = await response.json();
  if (result) return result;
  throw new Error(error?.message ?? error ?? `The service answered ${response.status}.`);
}

/**
 * Passes the page a bundle that an assistant has configured. A repeated call changes nothing.
 *
 * @param {Session} session
 * @param {object} given
 * @param {ToolResult} result
 */
function handOver({ bundle, host }, given, { structuredContent }) {
  const { bundleId, products, subscription } =
    /** @type {{ bundleId: number, products: CountedItem[], subscription?: ShopperSelection["subscription"] }} */ (
      given
    );
  const { replayed, handOverUrl, ...configured } = structuredContent;
  if (replayed || bundleId !== bundle.id) return;
  const items = products.flatMap(({ quantity = 1, ...item }) => Array(quantity).fill(item));
  const selection = { items, ...(subscription && { subscription }) };
  host.emit("bundle:addtocart", { result: /** @type {ConfigureResult} */ (configured), bundle, selection });
}
