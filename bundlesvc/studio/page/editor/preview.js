/** The preview: the web component with the draft, as shoppers would see it now or at a given time. */

import { el, redraw } from "../dom.js";
import { draftAddress, NO_KEY } from "../model/draft-client.js";
import { moment } from "../model/money.js";
import { scheduledBy } from "../model/revisions.js";
import { previewFrame } from "../preview-frame.js";
import { share } from "../views/share.js";
import { say } from "../words/words.js";
import { selection } from "./selection.js";

/** @import { Revision } from "../types.js" */
/** @import { Editing } from "./editing.js" */

/** @param {Editing} editing */
export function preview({ doc, workspace }) {
  const time = timeChoice();
  const shareButton = el("button.quiet.small", {
    type: "button",
    id: "share",
    text: say("share"),
    click: () => share(workspace, doc, time.input.value),
  });
  const chosen = workspace.file && selection();
  const frame = previewFrame({
    bundleId: doc.id,
    apiKey: NO_KEY,
    countries: () => workspace.content.markets.map(({ countryCode }) => countryCode),
    locale: workspace.locale,
    languages: () => [...new Set([...workspace.languages, ...Object.keys(doc.now.translations ?? {})])],
    buttons: workspace.mayWrite ? [shareButton] : [],
    choices: [time.node],
    about: chosen?.node,
  });
  if (chosen) frame.node.addEventListener("bundle:change", chosen.note);
  return {
    node: frame.node,
    /** Shows the latest saved state. */
    follow: point,
  };

  /**
   * Points the component to the latest saved state at the chosen time. Without a draft, this includes the revisions scheduled until
   * then.
   */
  async function point() {
    const at = time.input.value;
    const scheduled = at ? await scheduledBy(workspace, at).catch(() => []) : [];
    if (at !== time.input.value) return; // another time was chosen meanwhile
    time.tell(scheduled.map(({ revision }) => revision));
    frame.show(draftAddress(workspace, at, workspace.draft ? [] : scheduled));
  }

  /** The time of the preview, with a way back to now. */
  function timeChoice() {
    const zone = workspace.content.shop.timezone ?? "UTC";
    const input = el("input.small", {
      id: "preview-time",
      type: "datetime-local",
      min: "2000-01-01T00:00",
      max: "9999-12-31T23:59",
      "aria-describedby": "preview-time-hint",
      change: () => input.validity.valid && choose(),
    });
    const back = el("button.quiet.small", {
      type: "button",
      id: "preview-now",
      text: say("preview-now"),
      hidden: true,
      click: () => {
        input.value = "";
        choose();
        input.focus();
      },
    });
    const hint = el("p.hint", { id: "preview-time-hint", text: say("preview-time-hint", { zone }), hidden: true });
    const told = el("div.hint", { id: "preview-scheduled", role: "status" });
    /**
     * Lists the revisions that are scheduled to be published by the time of the preview.
     *
     * @param {readonly Revision[]} scheduled
     */
    function tell(scheduled) {
      const key = workspace.draft ? "preview-scheduled-too" : "preview-scheduled";
      redraw(
        told,
        scheduled.map(({ number, message, publishAt }) =>
          el("p", { text: say(key, { revision: named(number, message), time: moment(publishAt ?? "", zone) }) }),
        ),
      );
    }
    function choose() {
      back.hidden = hint.hidden = !input.value;
      if (frame.isShown) point();
    }
    const label = el("label", { for: "preview-time", text: say("preview-time") });
    return { input, tell, node: el("div.preview-time", {}, label, input, back, hint, told) };
  }
}

/** A revision as text: its number and its message. @param {number} number @param {string} message */
function named(number, message) {
  return message ? say("preview-revision", { number, message }) : say("revision", { number });
}
