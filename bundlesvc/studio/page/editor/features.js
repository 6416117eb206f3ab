/** Panels for features that must be turned on in the shop. */

import { el } from "../dom.js";
import { turnOnFeature } from "../model/changes.js";
import { say, sayOf } from "../words/words.js";

/** @import { Child } from "../dom.js" */
/** @import { Editing } from "./editing.js" */

/**
 * The content of a panel. If the shop lacks the feature, a button that turns it on comes first.
 *
 * @param {Editing} editing
 * @param {string} feature
 * @param {() => Child[]} content
 * @returns {Child[]}
 */
export function turnOnFirst({ workspace }, feature, content) {
  if (workspace.has(feature)) return content();
  const turnOn = () => turnOnFeature(workspace, feature);
  return [
    el(
      "div.notice",
      {},
      el("p", { text: sayOf("feature-off", feature) }),
      el("button.quiet.small", { type: "button", id: `turn-on-${feature}`, text: say("turn-on"), click: turnOn }),
    ),
    ...content(),
  ];
}
