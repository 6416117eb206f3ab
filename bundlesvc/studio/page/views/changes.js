/** A list of changes, as sentences. */

import { el } from "../dom.js";
import { pathText, valueText } from "../model/sentences.js";
import { say } from "../words/words.js";

/** @import { Change } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Workspace } from "../model/workspace.js" */

const LONGEST = 120;

/**
 * The changes, grouped by bundle.
 *
 * @param {readonly Change[]} changes
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 */
export function changeList(changes, workspace, catalogue) {
  if (!changes.length) return el("p.soft", { text: say("no-changes") });
  /** @type {Map<string, Change[]>} */
  const groups = new Map();
  for (const change of changes) {
    const name = subjectOf(change, workspace, catalogue);
    groups.set(name, [...(groups.get(name) ?? []), change]);
  }
  return el(
    "ul.changes",
    {},
    ...[...groups].map(([name, own]) =>
      el(
        "li",
        {},
        el("strong", { text: name }),
        el("ul", {}, ...own.map((change) => el("li", { text: sentenceOf(change, catalogue) }))),
      ),
    ),
  );
}

/**
 * The name of the bundle or product that a change belongs to.
 *
 * @param {Change} change
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 */
function subjectOf({ path, before, after }, workspace, catalogue) {
  const [kind = "", id = ""] = path.split(".");
  const whole = /** @type {any} */ (path === `${kind}.${id}` ? (after ?? before) : null);
  if (kind === "bundles") {
    const bundle = workspace.bundle(Number(id)) ?? workspace.liveBundle(Number(id));
    return bundle?.name ?? whole?.name ?? id;
  }
  if (kind === "products") return catalogue.get(id)?.title ?? whole?.title ?? id;
  return pathText([kind]);
}

/** A change as a sentence, with the values before and after it. @param {Change} change @param {Catalogue} catalogue */
function sentenceOf({ path, before, after }, catalogue) {
  const steps = path.split(".").slice(2);
  if (!steps.length) return say(before === null ? "is-new" : after === null ? "is-gone" : "is-changed");
  const place = pathText(steps, catalogue);
  if (steps.at(-1) === "order") return say("change-order", { place: pathText(steps.slice(0, -1), catalogue) });
  if (before === null || before === undefined) return say("change-added", { place, after: short(valueText(after)) });
  if (after === null || after === undefined) return say("change-removed", { place, before: short(valueText(before)) });
  return say("change", { place, before: short(valueText(before)), after: short(valueText(after)) });
}

/** @param {string} text */
function short(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
