/** The fields for a personalised unit. */

import { each, h, put, uid } from "./dom.js";
import { labelled } from "./fields.js";

/** @import { PersonalisationField } from "../../client/client.js" */
/** @import { Session } from "../session.js" */
/** @import { Slot } from "../selection/slot.js" */
/** @import { On, Settings, Unit } from "../types.js" */

/**
 * @param {Session} session
 * @param {Slot} slot
 */
export function answerFields(session, slot) {
  const fields = session.fields(slot);
  const units = () => (fields.length ? slot.units : []);
  return each(h("div.answers"), units, (unit) => {
    const title = () => {
      const own = slot.of(unit.variant);
      const name = session.offer.nameOf(unit.variant.platformVariantId);
      return session.say("personalise", { title: own.length > 1 ? `${name} (${own.indexOf(unit) + 1})` : name });
    };
    return h(
      "fieldset.unit",
      {},
      h("legend", title),
      fields.map((field) => answerField(session, unit, field)),
    );
  });
}

/**
 * @param {Session} session
 * @param {Unit} unit
 * @param {PersonalisationField} field
 */
function answerField(session, unit, field) {
  const { say, money } = session;
  const { key, label, type, required, characterLimit: limit, fee, helpText } = field;
  const id = uid();
  const answer = (/** @type {On<HTMLInputElement & HTMLSelectElement>} */ { target }) => {
    unit.answers[key] = type === "checkbox" ? target.checked : target.value;
    session.changed();
  };
  const isFaulty = () => session.attempted && session.quote.isFaulty(unit, key) && "true";
  const input = control(field, { required, "aria-describedby": id, "aria-invalid": isFaulty, oninput: answer });
  put(input, type === "checkbox" ? "checked" : "value", unit.answers[key] ?? "");
  const notes = [say(required ? "required" : "optional"), fee && `+ ${money(fee.amount, fee.currencyCode)}`];
  const count = () => limit && say("characters", { count: input.value.length, limit });
  const name = labelled([`${label} `, h("span.note", notes.filter(Boolean).join(" · "))], input);
  return h("div", {}, name, h("p.note", { id, text: () => [helpText, count()].filter(Boolean).join(" ") }));
}

/**
 * @param {PersonalisationField} field
 * @param {Settings<HTMLInputElement & HTMLSelectElement>} set
 */
function control(field, set) {
  const { type, options: choices, placeholder, characterLimit } = field;
  const choice = (/** @type {string} */ value) => h("option", { text: wordsOf(field, value) || "–", value });
  if (type === "dropdown") return h("select.field", set, ["", ...choices].map(choice));
  if (type === "checkbox") return h("input.tick", { ...set, type });
  const image = type === "image" && { type: "url", placeholder: placeholder || "https://", maxlength: 2048 };
  return h("input.field", { ...set, type, placeholder: placeholder || null, maxlength: characterLimit, ...image });
}

/**
 * The text that shoppers read for an answer. A dropdown's answer is the same in every language; only its label differs.
 *
 * @param {PersonalisationField | undefined} field
 * @param {string} answer
 */
export const wordsOf = (field, answer) => field?.optionLabels?.[answer] ?? answer;
