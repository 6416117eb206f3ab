/** Requests to the service. The session is in a cookie that scripts cannot read. */

const OWN = { "X-Bundlesvc-Studio": "1" };

/** An error response from the service, or a failure to reach it (status 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Readonly<Record<string, any>>} body
   * @param {number} retryAfter seconds
   */
  constructor(status, body, retryAfter = 0) {
    super(body.error ?? "");
    this.status = status;
    this.code = String(body.code ?? "");
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get passes() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Called when the session has ended. */
let whenEnded = () => {};

export function onSessionEnd(/** @type {() => void} */ then) {
  whenEnded = then;
}

/**
 * @typedef {{ method?: string, body?: unknown, tag?: string, signal?: AbortSignal, key?: string, keepalive?: boolean }}
 *   Options `tag` is the state that a write means to change; `key` lets a retry of a POST count once; `keepalive`: also when the
 *   page is left
 */

/**
 * Sends a request. Returns the body of the response, its entity tag, and the cursor of the next page of a list. Rejects
 * with an ApiError.
 *
 * @param {string} path below /studio
 * @param {Options} [options]
 * @returns {Promise<{ body: any, tag: string, next: string }>}
 */
export async function send(path, { method = "GET", body, tag, signal, key, keepalive = false } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", ...OWN };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (tag) headers["If-Match"] = tag;
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(`/studio${path}`, {
    method,
    headers,
    cache: "no-store",
    keepalive,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { code: "offline" });
  });
  const text = await response.text().catch(() => "");
  const read = parsed(text);
  if (response.ok) return { body: read, tag: response.headers.get("ETag") ?? "", next: nextOf(response) };
  if (response.status === 401) whenEnded();
  throw new ApiError(response.status, read ?? {}, Number(response.headers.get("Retry-After")) || 0);
}

/** The cursor in a response's link to the next page of a list (RFC 8288). "" when there is none. @param {Response} response */
function nextOf(response) {
  const [, address] = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "") ?? [];
  return address ? (new URL(address, location.origin).searchParams.get("cursor") ?? "") : "";
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/**
 * Sends a request to the management API. Returns the same as `send`.
 *
 * @param {string} path
 * @param {Options} [options]
 */
export const manage = (path, options) => send(`/api${path}`, options);

/** A random key for a single attempt to create something. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint32Array(4))].join("-");
}
