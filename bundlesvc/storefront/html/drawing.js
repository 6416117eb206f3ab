/** Draws for the service: the HTML of a bundle, and its structured data for search engines. Bundles are passed as JSON. */

import { bundleData, dataText } from "../structured-data/structured-data.js";
import { bundleHtml, styles } from "./html.js";

/** @import { HtmlOptions } from "./html.js" */
/** @import { BundleDataOptions } from "../structured-data/structured-data.js" */

/**
 * @param {string} json
 * @param {HtmlOptions} options
 */
export const html = (json, options) => bundleHtml(JSON.parse(json), options);

/**
 * @param {string} json
 * @param {BundleDataOptions} options
 */
export const data = (json, options) => dataText(bundleData(JSON.parse(json), options));

/** The text of the style sheet in the HTML. */
export const style = () => styles;
