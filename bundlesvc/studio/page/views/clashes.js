/** Asks which change to keep where two people have changed the same part. */

import { openDialog } from "../dialogs.js";
import { el } from "../dom.js";
import { pathText, valueText } from "../model/sentences.js";
import { say } from "../words/words.js";

/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Clash } from "../model/plain.js" */

/**
 * Asks for each clash whether to keep my change. If the dialog is closed without confirming the answers, the other
 * person's changes are kept.
 *
 * @param {readonly Clash[]} clashes
 * @param {Catalogue} catalogue
 * @returns {Promise<boolean[]>}
 */
export async function askAboutClashes(clashes, catalogue) {
  const answers = clashes.map(() => true);
  const made = await openDialog(
    say("clash-title"),
    (/** @type {(result: boolean[] | null) => void} */ close) => [
      el("p", { text: say("clash-text") }),
      ...clashes.map((clash, place) => question(clash, place, answers, catalogue)),
      el(
        "div.actions",
        {},
        el("button.primary", { type: "button", text: say("take-these"), click: () => close(answers) }),
      ),
    ],
    { isWide: true },
  );
  return made ?? clashes.map(() => false);
}

/** @param {Clash} clash @param {number} place @param {boolean[]} answers @param {Catalogue} catalogue */
function question({ path, base, theirs, mine }, place, answers, catalogue) {
  const choice = (/** @type {boolean} */ isMine, /** @type {string} */ label, /** @type {any} */ value) =>
    el(
      "label.choice",
      {},
      el("input", {
        type: "radio",
        name: `clash-${place}`,
        id: `clash-${place}-${isMine ? "mine" : "theirs"}`,
        checked: isMine,
        change: () => {
          answers[place] = isMine;
        },
      }),
      el("span", {}, el("strong", { text: label }), el("span.value", { text: valueText(value) })),
    );
  return el(
    "fieldset.clash",
    {},
    el("legend", { text: pathText(path, catalogue) }),
    el("p.hint", { text: say("clash-base", { value: valueText(base) }) }),
    choice(true, say("mine"), mine),
    choice(false, say("theirs"), theirs),
  );
}
