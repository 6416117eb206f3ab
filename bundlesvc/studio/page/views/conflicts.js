/** Conflicts between a draft and what was published after it was begun. */

import { openDialog } from "../dialogs.js";
import { el } from "../dom.js";
import { rebaseDraft } from "../model/publishing.js";
import { pathText, valueText } from "../model/sentences.js";
import { say } from "../words/words.js";

/** @import { Conflict } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Workspace } from "../model/workspace.js" */

/**
 * Asks which side of each conflict to keep, and brings the draft up to date accordingly. Resolves with false when the
 * dialog is cancelled, otherwise with true.
 *
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @param {readonly Conflict[]} conflicts
 */
export async function settleConflicts(workspace, catalogue, conflicts) {
  /** @type {Map<string, boolean>} whether mine holds, by path */
  const answers = new Map(conflicts.map(({ path }) => [path, true]));
  const made = await openDialog(
    say("conflict-title"),
    (/** @type {(result: boolean | null) => void} */ close) => [
      el("p", { text: say("conflict-text") }),
      ...conflicts.map((conflict, place) => question(conflict, place, answers, workspace, catalogue)),
      el(
        "div.actions",
        {},
        el("button.quiet", { type: "button", text: say("cancel"), click: () => close(null) }),
        el("button.primary", { type: "button", text: say("take-these"), click: () => close(true) }),
      ),
    ],
    { isWide: true },
  );
  if (!made) return false;
  await rebaseDraft(workspace, (clash, kind, id) => answers.get([kind, id, ...clash.path].join(".")) ?? true);
  return true;
}

/**
 * @param {Conflict} conflict
 * @param {number} place
 * @param {Map<string, boolean>} answers
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 */
function question({ path, base, live, yours }, place, answers, workspace, catalogue) {
  const [kind, id, ...steps] = path.split(".");
  const name = kind === "bundles" ? workspace.bundle(Number(id))?.name : undefined;
  const where = [name ?? pathText([String(kind), String(id)], catalogue), pathText(steps, catalogue)]
    .filter(Boolean)
    .join(": ");
  const choice = (/** @type {boolean} */ isMine, /** @type {string} */ label, /** @type {any} */ value) =>
    el(
      "label.choice",
      {},
      el("input", {
        type: "radio",
        name: `conflict-${place}`,
        id: `conflict-${place}-${isMine ? "mine" : "live"}`,
        checked: isMine,
        change: () => answers.set(path, isMine),
      }),
      el("span", {}, el("strong", { text: label }), el("span.value", { text: valueText(value) })),
    );
  return el(
    "fieldset.clash",
    {},
    el("legend", { text: where }),
    el("p.hint", { text: say("clash-base", { value: valueText(base) }) }),
    choice(true, say("of-draft"), yours),
    choice(false, say("of-live"), live),
  );
}
