/** Modal dialogs. The browser itself keeps the focus inside a dialog. */

import { el, iconButton, part } from "./dom.js";
import { say } from "./words/words.js";

/** @import { Child } from "./dom.js" */

let number = 0;

/**
 * Opens a dialog. `fill` receives a function that closes the dialog with a result, and returns the dialog's content.
 * Resolves with the result; null when the dialog is closed without a result.
 *
 * @template T
 * @param {string} title
 * @param {(close: (result: T | null) => void) => readonly Child[]} fill
 * @param {{ isWide?: boolean }} [how]
 * @returns {Promise<T | null>}
 */
export function openDialog(title, fill, { isWide = false } = {}) {
  number += 1;
  const id = `dialog-title-${number}`;
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  return new Promise((resolve) => {
    /** @type {T | null} */
    let result = null;
    const close = (/** @type {T | null} */ made) => {
      result = made;
      dialog.close();
    };
    const dialog = el(
      isWide ? "dialog.dialog.wide" : "dialog.dialog",
      {
        "aria-labelledby": id,
        close: () => {
          dialog.remove();
          if (before?.id) document.getElementById(before.id)?.focus();
          else before?.focus();
          resolve(result);
        },
      },
      el(
        "header.dialog-head",
        {},
        el("h2", { id, text: title }),
        iconButton("close", say("close"), () => close(null)),
      ),
      el("div.dialog-body", {}, ...fill(close)),
      el("p.hidden-text", { role: "status", "data-said": true }),
    );
    part("dialogs").append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks for confirmation before something that cannot be undone.
 *
 * @param {string} title
 * @param {string} text
 * @param {string} doIt
 */
export async function confirmed(title, text, doIt) {
  const answer = await openDialog(title, (/** @type {(result: boolean | null) => void} */ close) => [
    el("p", { text }),
    el(
      "div.actions",
      {},
      el("button.quiet", { type: "button", text: say("cancel"), click: () => close(null) }),
      el("button.danger", { type: "button", text: doIt, click: () => close(true) }),
    ),
  ]);
  return answer === true;
}
