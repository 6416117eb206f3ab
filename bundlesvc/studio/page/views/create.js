/** Creates a bundle from a template: first its kind, then a few answers. */

import { announce, el, icon, redraw } from "../dom.js";
import { ApiError } from "../model/api.js";
import { addBundle, putProduct, turnOnFeature } from "../model/changes.js";
import { bundleOf, TEMPLATES } from "../model/templates.js";
import { productPicker } from "../picker.js";
import { say, sayIn, sayOf } from "../words/words.js";
import { plansTable, tiersTable } from "./create-tables.js";

/** @import { View } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Answers, Question, Template } from "../model/templates.js" */
/** @import { Workspace } from "../model/workspace.js" */
/** @import { Key } from "../words/words.js" */

/** @type {Question} */
const SOLD_AS = { key: "gift", kind: "product", label: "ask-own", hint: "ask-own-hint", initial: [] };

/**
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @returns {View}
 */
export function createView(workspace, catalogue) {
  const stage = el("div.create");
  chooseTemplate();
  return { title: say("new-bundle"), nodes: [el("a.back", { href: "#/" }, icon("back"), say("bundles")), stage] };

  function chooseTemplate() {
    const cards = Object.values(TEMPLATES).map((template) =>
      el(
        "li",
        {},
        el(
          "button.template",
          { type: "button", id: `template-${template.name}`, click: () => ask(template) },
          el("span.template-icon", {}, icon(template.icon)),
          el("strong", { text: sayOf("template", template.name) }),
          el("span.soft", { text: sayOf("template-text", template.name) }),
        ),
      ),
    );
    redraw(stage, [
      el("h1", { id: "title", tabindex: -1, text: say("which-kind") }),
      el("p.lead", { text: say("which-kind-text") }),
      el("ul.templates", {}, ...cards),
    ]);
  }

  function ask(/** @type {Template} */ template) {
    /** @type {Answers} */
    const answers = {
      name: "",
      products: [],
      gift: [],
      count: 1,
      percent: 0,
      price: "",
      from: "",
      tiers: [],
      plans: [],
      label: "",
      limit: 0,
    };
    /** @type {{ gift: import("../types.js").Product[] }} */
    const own = { gift: [] };
    const questions = template.questions.map((question) => asked(question, answers));
    if (!workspace.isEmbedded) questions.push(asked(SOLD_AS, /** @type {Answers} */ (own)));
    const fault = el("p.fault", { role: "alert" });
    const make = el("button.primary", { type: "submit", text: say("make-bundle") });
    const form = el(
      "form.questions",
      {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          create();
        },
      },
      ...questions,
      fault,
      el(
        "div.actions",
        {},
        el("button.quiet", { type: "button", text: say("other-kind"), click: chooseTemplate }),
        make,
      ),
    );
    redraw(stage, [
      el("h1", { id: "title", tabindex: -1, text: sayOf("template", template.name) }),
      el("p.lead", { text: sayOf("template-text", template.name) }),
      form,
    ]);
    const name = /** @type {HTMLInputElement | null} */ (document.getElementById("ask-name"));
    name?.focus();
    name?.select();

    async function create() {
      const wanting = missing(template, answers) ?? (workspace.isEmbedded || own.gift.length ? null : SOLD_AS);
      fault.textContent = wanting ? say("answer-missing", { question: say(/** @type {Key} */ (wanting.label)) }) : "";
      if (wanting) return;
      make.disabled = true;
      try {
        const { bundle, product } = bundleOf(template, answers, workspace.locale, own.gift[0] ?? null);
        for (const feature of template.features.filter((each) => !workspace.has(each)))
          await turnOnFeature(workspace, feature);
        if (product) await putProduct(workspace, product);
        const made = await addBundle(workspace, bundle);
        announce(say("was-made", { name: made.name }));
        location.hash = `#/bundles/${made.id}`;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        fault.textContent = error.message || say("not-reached");
        make.disabled = false;
      }
    }
  }

  function asked(/** @type {Question} */ question, /** @type {Answers} */ answers) {
    const { key, kind, label, hint, initial } = question;
    const id = key === "gift" && label === "ask-own" ? "ask-own" : `ask-${key}`;
    const isWord = kind === "text" && initial;
    const value = isWord ? sayIn(workspace.locale, /** @type {Key} */ (initial)) : structuredClone(initial);
    Reflect.set(answers, key, value);
    const set = (/** @type {unknown} */ made) => Reflect.set(answers, key, made);
    const title = say(/** @type {Key} */ (label));
    const note = el("p.hint", { id: `${id}-hint`, text: say(/** @type {Key} */ (hint)) });
    if (kind === "products" || kind === "product") {
      const picker = productPicker({ id, workspace, catalogue, isSingle: kind === "product", chosen: [], choose: set });
      return el("fieldset.question", {}, el("legend", { text: title }), note, picker);
    }
    if (kind === "tiers") return el("fieldset.question", {}, el("legend", { text: title }), note, tiersTable(answers));
    if (kind === "plans") return el("fieldset.question", {}, el("legend", { text: title }), note, plansTable(answers));
    const isNumber = kind !== "text";
    const input = el(`input${isNumber ? ".short" : ""}`, {
      id,
      type: isNumber ? "number" : "text",
      value,
      required: true,
      min: kind === "count" ? 1 : 0,
      max: kind === "percent" ? 100 : null,
      step: kind === "count" ? 1 : "0.01",
      "aria-describedby": `${id}-hint`,
      input: () => set(kind === "text" || kind === "money" ? input.value : Number(input.value)),
    });
    const unit = { percent: "%", money: workspace.currency }[/** @type {"percent" | "money"} */ (kind)];
    return el(
      "div.question",
      {},
      el("label", { for: id, text: title }),
      note,
      el("span.with-unit", {}, input, unit && el("span.soft", { text: unit })),
    );
  }
}

/** The first question without an answer. @param {Template} template @param {Answers} answers */
function missing({ questions }, answers) {
  return questions.find(({ key }) => {
    const answer = answers[key];
    return Array.isArray(answer) ? !answer.length : answer === "" || answer === 0;
  });
}
