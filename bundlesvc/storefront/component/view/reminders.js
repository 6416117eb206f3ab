/** The form that asks for a message when a sold-out variant is back. */

import { lack } from "../selection/slot.js";
import { each, h } from "./dom.js";
import { emailField, labelled } from "./fields.js";

/** @import { Session } from "../session.js" */
/** @import { Slot } from "../selection/slot.js" */

/**
 * @param {Session} session
 * @param {Slot} slot
 */
export function reminders({ bundle, client, host, say, failed }, slot) {
  const missed = () => (bundle.settings.stockReminders && lack(slot.shown) === "soldOut" ? [slot.shown] : []);
  return each(h("div"), missed, ({ platformVariantId: variant }) => {
    const said = h("p.note", { role: "status" });
    const email = emailField();
    const noAddress = say("fault-invalid_email");
    const send = async () => {
      if (!email.validity.valid) return noAddress;
      const answer = await client.embed.notify({ variant, customerEmail: email.value, bundleName: bundle.name });
      return say(`notify-${answer.message_code}`);
    };
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      said.textContent = await send().catch((error) => (error.status === 400 ? noAddress : failed(host.report(error))));
    };
    const field = labelled(say("emailLabel"), email);
    const form = h("form", { novalidate: true, onsubmit }, field, h("button.button", say("send")), said);
    return h("details.reminder", {}, h("summary", say("notifyMe")), form);
  });
}
