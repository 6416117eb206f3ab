/** The texts of a bundle next to their translations. */

import { el, icon } from "../dom.js";
import { nameOf } from "../model/money.js";
import { counted, say } from "../words/words.js";
import { turnOnFirst } from "./features.js";
import { idOf } from "./fields.js";

/** @import { Child } from "../dom.js" */
/** @import { Bundle } from "../types.js" */
/** @import { Step } from "../model/plain.js" */
/** @import { Editing } from "./editing.js" */

const OFFERED = ["de", "en", "fr", "it", "es", "nl", "pl", "pt", "da", "sv", "cs", "ja"];

/** @typedef {{ label: string, original: string, path: Step[], isLong?: boolean }} Text `path` is below the translation */

/** The texts of a bundle that shoppers read. @param {Bundle} bundle @param {(id: string) => string} titleOf @returns {Text[]} */
export function textsOf(bundle, titleOf) {
  /** @type {(Text | null)[]} */
  const texts = [
    text(say("name"), bundle.name, ["name"]),
    text(say("description"), bundle.description, ["description"], true),
    ...(bundle.sections ?? []).flatMap(({ id, name, description }) => [
      text(say("section-name"), name, ["sections", String(id), "name"]),
      text(say("section-description"), description, ["sections", String(id), "description"], true),
    ]),
    ...(bundle.discount?.tiers ?? []).map(({ customText }, place) =>
      text(say("tier-text"), customText, ["tiers", String(place), "customText"]),
    ),
    ...(bundle.conditions ?? []).map((node) => text(say("text-for-shoppers"), node.text, ["texts", node.id], true)),
    ...(bundle.subscription?.groups ?? []).map(({ id, name }) =>
      text(say("group-name"), name, ["groups", String(id), "name"]),
    ),
    ...Object.entries(bundle.personalisation ?? {}).flatMap(([product, fields]) =>
      fields.flatMap((field) => {
        const base = ["personalisation", product, field.key];
        const of = (/** @type {string} */ label) => `${titleOf(product)}: ${label}`;
        return [
          text(of(say("field-label")), field.label ?? field.key, [...base, "label"]),
          text(of(say("field-placeholder")), field.placeholder, [...base, "placeholder"]),
          text(of(say("field-help")), field.helpText, [...base, "helpText"]),
          ...(field.type === "dropdown" ? (field.options ?? []) : []).map((option) =>
            text(of(say("field-options")), option, [...base, "options", option]),
          ),
        ];
      }),
    ),
  ];
  return texts.filter((each) => each !== null);
}

/** @param {string} label @param {string | undefined} original @param {Step[]} path @param {boolean} [isLong] @returns {Text | null} */
function text(label, original, path, isLong = false) {
  return original ? { label, original, path, isLong } : null;
}

/** The number of untranslated texts of a bundle, over all languages of the shop. @param {Editing} editing */
export function missingTexts({ doc, workspace, catalogue }) {
  const texts = textsOf(doc.now, (id) => catalogue.title(id));
  return workspace.languages.reduce(
    (sum, tag) => sum + texts.filter(({ path }) => !doc.get("translations", tag, ...path)).length,
    0,
  );
}

/** @param {Editing} editing @returns {Child[]} */
export function translations(editing) {
  const { doc, workspace, catalogue } = editing;
  const own = Object.keys(doc.now.translations ?? {});
  const tags = [...new Set([...own, ...workspace.languages])].sort();
  const texts = textsOf(doc.now, (id) => catalogue.title(id));
  return turnOnFirst(editing, "translations", () => [
    ...tags.map((tag) => languageTable(editing, tag, texts)),
    addLanguage(editing, tags),
  ]);
}

/** @param {Editing} editing @param {readonly string[]} tags */
function addLanguage({ doc, workspace }, tags) {
  const offered = OFFERED.filter((tag) => !tags.includes(tag) && tag !== workspace.locale);
  const select = el(
    "select",
    { id: "language-to-add", "aria-label": say("add-language") },
    ...offered.map((tag) => el("option", { value: tag, text: nameOf("language", tag) })),
  );
  const add = () => {
    const tag = select.value;
    doc.set(["translations", tag, "name"], doc.now.name);
    const input = /** @type {HTMLInputElement | null} */ (document.getElementById(idOf(["translations", tag, "name"])));
    input?.focus();
    input?.select();
  };
  return el(
    "div.row",
    {},
    select,
    el("button.quiet", { type: "button", id: "add-language", click: add }, icon("add"), say("add-language")),
  );
}

/** @param {Editing} editing @param {string} tag @param {readonly Text[]} texts */
function languageTable({ doc, workspace }, tag, texts) {
  const count = el("span.tag");
  const tell = () => {
    const missing = texts.filter(({ path }) => !doc.get("translations", tag, ...path)).length;
    count.textContent = missing ? say("missing", { things: counted(missing, "text") }) : say("complete");
    count.dataset["state"] = missing ? "changed" : "live";
  };
  const rows = texts.map(({ label, original, path, isLong }) => {
    const full = ["translations", tag, ...path];
    const input = el(isLong ? "textarea" : "input", {
      id: idOf(full),
      lang: tag,
      rows: isLong ? 2 : null,
      value: doc.get(...full) ?? "",
      "aria-label": say("translation-of", { label, original }),
      input: () => {
        doc.set(full, input.value || undefined, { isTyped: true });
        row.dataset["missing"] = String(!input.value);
        tell();
      },
    });
    const row = el(
      "div.translation",
      { "data-path": full.join("."), "data-missing": String(!doc.get(...full)) },
      el("div", { lang: workspace.locale }, el("span.hint", { text: label }), el("p", { text: original })),
      input,
    );
    return row;
  });
  tell();
  return el(
    "section.language",
    { "data-path": `translations.${tag}` },
    el("h3", {}, nameOf("language", tag), " ", count),
    ...rows,
  );
}
