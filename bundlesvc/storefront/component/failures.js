/** Describes a failure for developers: a plain object, which is the detail of the event `bundle:error`. */

import { isOutdated } from "./selection/changes.js";

/** @import { Problem } from "../bundle-builder.js" */
/** @import { Detail } from "../client/client.js" */
/** @import { Thrown } from "./types.js" */

/**
 * A failure with the fields that it may have.
 *
 * @typedef {Error & { readonly code?: Problem["code"], readonly status?: number, readonly requestId?: string | null,
 *   readonly details?: readonly Detail[] }} Failed
 */

const NEW_KEY = "bundlesvc keys create --shop SHOP --label pages --page";
const AGAIN = "Nothing to do: the component fetches the bundle again, and says what has changed.";

/** The remedy for each code. Errors with other codes have a request id. */
/** @type {Readonly<Record<string, string>>} */
const REMEDIES = {
  page_error: "Check the attributes of the element.",
  offline: "The component fetches the bundle as soon as the browser is online.",
  unreachable:
    "Check base-url, whether the service runs, and whether the page's Content-Security-Policy has the service in connect-src.",
  invalid_response: "Something between page and service has responded: check base-url and proxies.",
  key_invalid: "Check api-key. {command} makes a key for this page.",
  key_scope: "The key needs the scope embed. {command} makes a key for this page.",
  origin_not_allowed: "This page's origin is {origin}. {command} makes a key for it.",
  shop_not_enabled: "The shop needs headlessEnabled.",
  not_found: "Check bundle-id, product-handle or configured. An unpublished bundle needs a test key.",
  rate_limited: "Wait, or raise the key's limits: bundlesvc keys limit.",
};

/** The element's attribute for each parameter of a request. */
/** @type {Readonly<Record<string, string>>} */
const ATTRIBUTES = {
  id: "bundle-id",
  productHandle: "product-handle",
  countryCode: "country",
  forceTemplate: "template",
  visitor_id: "visitor-id",
  visitorId: "visitor-id",
};

/**
 * @param {Failed} error
 * @returns {Problem}
 */
export function problemOf(error) {
  const { name, message, status = null, requestId = null, details = [] } = error;
  // A gateway responds with its own page when the service behind it does not respond.
  const isUnanswered = name === "NetworkError" || (error.code === "invalid_response" && Number(status) >= 502);
  const code = isUnanswered ? networkCode() : (error.code ?? "page_error");
  return { code, status, requestId, message, remedy: remedyOf(code, details), details };
}

/**
 * Writes one line to the console. A refused selection is logged as information, because it is not an error of the page.
 *
 * @param {Problem} problem
 * @param {Thrown} error
 */
export function log(problem, error) {
  const write = isOutdated(problem) && problem.code !== "not_found" ? console.info : console.error;
  write(lineOf(problem), error);
}

/** @param {Problem} problem */
function lineOf({ code, status, requestId, message, remedy }) {
  const found = [code, status && `status ${status}`, requestId && `request ${requestId}`].filter(Boolean);
  return `<bundle-builder> ${found.join(", ")}: ${message} ${remedy}`;
}

/** @param {Detail} detail */
const causeOf = ({ path, message }) => `Check ${ATTRIBUTES[path] ?? path}: ${message}`;

const networkCode = () => (navigator.onLine === false ? "offline" : "unreachable");

/**
 * @param {string} code
 * @param {readonly Detail[]} details
 */
function remedyOf(code, details) {
  if (code === "invalid_request" && details.length) return details.map(causeOf).join(" ");
  const { origin } = location;
  const remedy = REMEDIES[code] ?? (isOutdated({ code }) ? AGAIN : "Find the request in the service's log.");
  return remedy.replace("{command}", `${NEW_KEY} ${origin}`).replace("{origin}", origin);
}
