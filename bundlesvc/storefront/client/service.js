/** Requests to the service over `fetch`, with timeouts and with retries where they are safe and may help. */

/** @import { Attempt, Call, Caller, ConfigureCall, CreateClient, EmbedClientOf, Failure } from "./internal.js" */
/** @import { ListBundles } from "./internal.js" */
/** @import { BundleList, BundleOffer, ClientOptions, ServiceErrorCode } from "./client.js" */

const EMBED = "/embed/api/v1";
const INVALID_RESPONSE = /** @type {const} */ ("invalid_response");

/** @type {CreateClient} */
export function createClient(options) {
  const send = caller(options);
  return {
    bundles: ({ signal } = {}) => send("/bundles", { signal }),
    listBundles: (options) => listBundles(send, options),
    bundle: (id, { signal } = {}) => send(`/bundles/${id}`, { signal }),
    products: async (id, { countryCode, signal } = {}) =>
      (await send(`/bundles/${id}/products`, { query: { countryCode }, signal })).products,
    settings: ({ signal } = {}) => send("/settings", { signal }),
    price: (id, body, { signal } = {}) => send(`/bundles/${id}/price`, { method: "POST", body, signal }),
    complete: (id, body, { signal } = {}) => send(`/bundles/${id}/complete`, { method: "POST", body, signal }),
    configure: (id, body, options) => send(`/bundles/${id}/configure`, configureCall(body, options)),
    readConfigured: (id, unique, { signal } = {}) => send(`/configured-bundles/${id}`, { query: { unique }, signal }),
    embed: embedClient(send),
  };
}

/** @type {EmbedClientOf} */
function embedClient(send) {
  return {
    bundle: ({ id, productHandle, lang, forceTemplate, countryCode, visitorId, abBypass, fresh, signal }) => {
      const own = { id, productHandle, lang, forceTemplate, countryCode, visitor_id: visitorId, ab_bypass: abBypass };
      const query = { ...own, fresh: fresh ? newKey() : null };
      return send(`${EMBED}/bundle`, { query, cache: fresh ? "no-store" : undefined, signal });
    },
    settings: ({ lang, signal } = {}) => send(`${EMBED}/settings`, { query: { lang }, signal }),
    complete: (id, body, { signal } = {}) => send(`${EMBED}/bundle/${id}/complete`, { method: "POST", body, signal }),
    configure: (id, body, options) => send(`${EMBED}/bundle/${id}/product`, configureCall(body, options)),
    variant: (id, variantId, { signal } = {}) => send(`${EMBED}/bundle/${id}/variant/${variantId}`, { signal }),
    content: (bundles, { signal } = {}) => send(`${EMBED}/content`, { method: "POST", body: { bundles }, signal }),
    notify: ({ variant, customerEmail, bundleName }, { signal } = {}) => {
      const body = { variant, customer_email: customerEmail, bundle_name: bundleName };
      return send(`${EMBED}/notify`, { method: "POST", body, signal });
    },
  };
}

/** @type {ListBundles} */
function listBundles(send, { lang, handle, include, limit = 100, cursor, signal } = {}) {
  return send("/bundles", { query: { lang, handle, include, limit, cursor }, signal, take: partOfList });
}

/**
 * @param {unknown} body
 * @param {Headers} headers
 * @returns {BundleList<BundleOffer>}
 */
function partOfList(body, headers) {
  const bundles = /** @type {readonly BundleOffer[]} */ (body);
  return { bundles, next: /[?&]cursor=([^&>]+)/.exec(headers.get("Link") ?? "")?.[1] ?? null };
}

/** @type {ConfigureCall} */
function configureCall(body, { idempotencyKey = newKey(), signal } = {}) {
  return { method: "POST", body, headers: { "Idempotency-Key": idempotencyKey }, signal };
}

// Returns a random key. On pages that were not loaded over https, `randomUUID` is missing.
export function newKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

export class ServiceError extends Error {
  name = /** @type {const} */ ("ServiceError");

  /** @param {string} message @param {Failure} failure @param {unknown} [cause] */
  constructor(message, { status, code, requestId, details = [], retryAfter, limit = null }, cause) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.retryAfter = retryAfter;
    this.limit = limit;
  }
}

export class NetworkError extends Error {
  name = /** @type {const} */ ("NetworkError");

  /**
   * @param {string} message
   * @param {boolean} timedOut
   * @param {unknown} cause
   */
  constructor(message, timedOut, cause) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** @type {Caller} */
function caller(options) {
  const {
    baseUrl,
    apiKey,
    fetch,
    timeoutMs = 1e4,
    retries = 3,
    backoffMs = 250,
    maxWaitMs = 1e4,
    deadlineMs = Infinity,
  } = checked(options);
  const base = baseUrl.replace(/\/+$/, "");
  const common = new Headers({ Accept: "application/json", Authorization: `Bearer ${apiKey}` });
  return async (path, call = {}) => {
    const { method, query = {}, body, cache, signal, take } = call;
    const headers = new Headers([...common, ...Object.entries(call.headers ?? {})]);
    if (body) headers.set("Content-Type", "application/json");
    const init = { method, headers, body: body ? JSON.stringify(body) : undefined, ...(cache && { cache }) };
    const deadline = performance.now() + deadlineMs;
    for (let left = retries, pause = backoffMs; ; left -= 1, pause *= 2) {
      try {
        // Looked up for each attempt, because a page may wrap it. Called without an object: browsers refuse any other `this`.
        const send = fetch ?? globalThis.fetch;
        const limit = Math.min(timeoutMs, deadline - performance.now());
        return await attempt(
          (own) => send(base + path + queryText(query), { ...init, signal: own }),
          limit,
          signal,
          take,
        );
      } catch (error) {
        const least = left > 0 ? waitBefore(error, pause) : null;
        if (least === null || least > maxWaitMs) throw error;
        const wait = least + Math.random() * pause;
        if (wait >= deadline - performance.now()) throw error;
        await sleep(wait, signal);
      }
    }
  };
}

/**
 * Returns the options; throws when a required one is missing.
 *
 * @param {ClientOptions} options
 */
function checked(options) {
  const missing = /** @type {const} */ (["baseUrl", "apiKey"]).filter(
    (name) => typeof options?.[name] !== "string" || !options[name],
  );
  if (missing.length === 0) return options;
  const call = 'createClient({ baseUrl: "https://bundles.example/api/headless/v1", apiKey: "bnd_live_…" })';
  throw new TypeError(`createClient needs ${missing.join(" and ")}, as in ${call}.`);
}

/** @param {Readonly<Record<string, unknown>>} query */
function queryText(query) {
  const given = Object.entries(query).filter(([, value]) => value != null);
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}

// Does not rely on `fetch` to observe its signal: a wrapped one may ignore it.
/** @type {Attempt} */
async function attempt(send, timeoutMs, signal, take = (/** @type {unknown} */ body) => /** @type {any} */ (body)) {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort);
  const stopped = new Promise((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason));
  });
  try {
    return await Promise.race([send(stop.signal).then((response) => read(response, take)), stopped]);
  } catch (error) {
    signal?.throwIfAborted();
    const timedOut = stop.signal.aborted;
    if (error instanceof ServiceError && !timedOut) throw error;
    throw new NetworkError(timedOut ? "The service took too long." : "The service cannot be reached.", timedOut, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * The body of a successful response. Rejects with a ServiceError for any other response.
 *
 * @param {Response} response
 * @param {NonNullable<Call["take"]>} take
 */
async function read(response, take) {
  const { ok, status, headers } = response;
  const head = {
    status,
    code: INVALID_RESPONSE,
    requestId: headers.get("X-Request-Id"),
    retryAfter: secondsUntil(headers.get("Retry-After")),
  };
  const body = await json(response).catch((cause) => {
    throw new ServiceError(`The response cannot be read: ${status} ${headers.get("Content-Type")}.`, head, cause);
  });
  if (ok) return take(body, headers);
  const { error, code, requestId, details, limit } = body;
  const failure = { ...head, code: /** @type {ServiceErrorCode} */ (code), requestId, details, limit };
  if (typeof code === "string") throw new ServiceError(error, failure);
  throw new ServiceError(`This is not a response of the service: ${status}.`, head);
}

/**
 * The body as an object or an array. Rejects when the body is incomplete, is not JSON, or contains any other value.
 *
 * @param {Response} response
 */
async function json(response) {
  const value = JSON.parse(await response.text());
  if (typeof value !== "object" || value === null) throw new TypeError("Not an object or an array.");
  return value;
}

/**
 * The seconds to wait according to the header, which contains whole seconds or a date.
 *
 * @param {string | null} retryAfter
 */
function secondsUntil(retryAfter) {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}

/**
 * The minimum wait before a retry (milliseconds); null when a retry would not help.
 *
 * @param {unknown} error
 * @param {number} pause
 */
function waitBefore(error, pause) {
  if (error instanceof NetworkError) return pause / 2;
  if (!(error instanceof ServiceError)) return null;
  const { status, code, retryAfter } = error;
  if (retryAfter !== null && [429, 502, 503, 504].includes(status)) return retryAfter * 1000;
  return status === 429 || (status < 300 && code === INVALID_RESPONSE) ? pause / 2 : null;
}

/**
 * Waits. Rejects with the signal's reason when the signal aborts.
 *
 * @param {number} milliseconds
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
export function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve(undefined);
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}
