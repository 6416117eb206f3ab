/** The HTML of a bundle for a page's first paint, as the web component draws it (docs/first-paint.md). */

import { addCompleting, css as completingCss } from "../component/completing.js";
import { Session } from "../component/session.js";
import { drawIn, h, put } from "../component/view/dom.js";
import { furnish } from "../component/view/stage.js";
import { css } from "../component/view/styles.js";
import { wordsOf } from "../component/words.js";
import { Elements, escaped } from "./elements.js";

/** @import { EmbedBundle } from "../client/client.js" */
/** @import { Host } from "../component/types.js" */
/** @import { HtmlOptions } from "./html.js" */

/** The host of a server's session. It ignores everything except errors, for which it throws. @type {Host} */
const NOBODY = {
  emit: () => true,
  report: () => {
    throw new Error("A drawing reports nothing.");
  },
  announce: () => {},
  reload: () => {},
};

/** @type {typeof import("./html.js").styles} */
export const styles = `${css}${completingCss}`.replace(/\n\s*/g, "\n").trim();

/** @type {typeof import("./html.js").bundleHtml} */
export function bundleHtml(bundle, options = {}) {
  const page = /** @type {Document} */ (/** @type {unknown} */ (new Elements()));
  const parts = drawIn(page, () => drawn(bundle, options));
  const { nonce } = options;
  const style = nonce ? `<style nonce="${escaped(nonce)}">` : "<style>";
  return `<template shadowrootmode="open">${style}${styles}</style>${parts.map((part) => part.outerHTML).join("")}</template>`;
}

/**
 * The initial content of the component's shadow root, in order.
 *
 * @param {EmbedBundle} bundle
 * @param {HtmlOptions} options
 */
function drawn(bundle, { baseUrl, countryCode, hasHeader = false }) {
  const words = wordsOf(bundle.settings.texts, bundle.settings.locale);
  const read = { bundle, baseUrl, country: countryCode ?? undefined, visitorId: undefined, wanted: null, ...words };
  const session = new Session(/** @type {any} */ (read), NOBODY, null);
  const stage = h("div.root");
  furnish(stage, bundle.templateCode, bundle.locale);
  put(stage, "data-headed", hasHeader);
  stage.append(session.node);
  addCompleting(session);
  return [h("slot", { name: "header" }), stage, h("slot", { hidden: true }), h("p.vh", { role: "status" })];
}
