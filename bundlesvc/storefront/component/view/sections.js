/** The sections of a bundle: all on one page, or one at a time as steps. */

import { card } from "./card.js";
import { h, picture, refresh } from "./dom.js";

/** @import { Session } from "../session.js" */
/** @import { OfferedSection, Sections } from "../types.js" */

/**
 * The view of the sections, and functions that follow the selection, open a step, and reveal an element in a step.
 *
 * @param {Session} session
 * @returns {Sections}
 */
export function sections(session) {
  const { offer, bundle, say, fields } = session;
  const hasSteps = bundle.layout === "multiple-sections";
  /** @type {OfferedSection} */
  let current;
  /** @type {{ readonly goto: number | null, readonly done: readonly OfferedSection[] } | undefined} */
  let before;

  const conditions = () => session.quote.evaluation.conditions;
  const isHidden = (/** @type {OfferedSection} */ { id, slots }) =>
    !slots.length || conditions().hiddenSections.includes(id);
  const shown = () => offer.sections.filter((section) => !isHidden(section));
  const isStepped = () => hasSteps && shown().length > 1;
  /** @returns {OfferedSection | undefined} */
  const beside = (/** @type {number} */ by) => shown()[shown().indexOf(current) + by];

  /**
   * Whether a section is finished. A section with a chosen product that has answer fields never counts as finished, so
   * that the shopper decides when to leave it.
   *
   * @param {OfferedSection} section
   */
  function isDone({ id, slots }) {
    const { refusal } = session.quote.evaluation;
    const chosen = slots.filter(({ units }) => units.length);
    const fails =
      refusal?.code !== "rules_not_met" ||
      refusal.details.some((detail) => "sectionId" in detail && detail.sectionId === id);
    return chosen.length > 0 && !(refusal && fails) && !chosen.some((slot) => fields(slot).length);
  }

  /** @param {number} [id] */
  function open(id) {
    current = shown().find((section) => section.id === id) ?? shown()[0];
  }

  /** Moves on, but only if something has changed since the last call. */
  function follow() {
    const last = before;
    const done = offer.sections.filter(isDone);
    const now = { goto: conditions().goto, done };
    before = now;
    if (!shown().includes(current)) open();
    if (!last) return;
    const isNew = done.includes(current) && !last.done.includes(current);
    if (now.goto !== null && now.goto !== last.goto) goTo(shown().find(({ id }) => id === now.goto));
    else if (hasSteps && isNew && current.autoNextSection) goTo(beside(1));
  }

  /** @param {OfferedSection | undefined} section */
  function goTo(section) {
    if (!section) return;
    current = section;
    refresh(node);
    section.heading?.focus({ preventScroll: true });
    if (!hasSteps) section.heading?.scrollIntoView();
    else if (node.getBoundingClientRect().top < 0) node.scrollIntoView();
  }

  /**
   * Opens the step that contains an element.
   *
   * @param {Element | null} part
   */
  function reveal(part) {
    const section = shown().find(({ heading }) => heading?.closest("section")?.contains(part));
    if (hasSteps && section !== current) goTo(section);
  }

  /** @param {OfferedSection} section */
  function step(section) {
    const count = () => section.slots.flatMap(({ units }) => units).length;
    const button = h(
      "button.step-button",
      { "aria-current": () => section === current && "step", onclick: () => goTo(section) },
      h("span.mark", { "aria-hidden": "true", text: () => (isDone(section) ? "✓" : shown().indexOf(section) + 1) }),
      h("span", section.name),
      h("span.note", () => (count() ? say("chosen", { count: count() }) : "")),
    );
    return h("li.step-item", { hidden: () => !shown().includes(section) }, button);
  }

  /**
   * A heading with cards below.
   *
   * @param {Pick<OfferedSection, "name" | "slots" | "heading"> & Partial<OfferedSection>} section
   * @param {() => boolean} isAway
   */
  function group(section, isAway) {
    const { name, description, imageUrl, slots } = section;
    section.heading = h("h3.heading", { tabindex: -1, text: name });
    const text = h("div", {}, section.heading, description && h("p.note", description));
    const head = h("div.section-head", {}, imageUrl && picture("div.section-picture", session, () => imageUrl), text);
    const grid = h(
      "ul.grid",
      {},
      slots.map((slot) => card(session, slot)),
    );
    return h("section.section", { "aria-label": name, hidden: isAway }, head, grid);
  }

  const turn = (/** @type {number} */ by) => ({ onclick: () => goTo(beside(by)), hidden: () => !beside(by) });
  const back = h("button.button", { text: say("back"), ...turn(-1) });
  const next = h("button.button.next", { text: () => say("nextStep", { section: beside(1)?.name }), ...turn(1) });
  const isLater = () => isStepped() && current !== shown()[0];
  const isAway = (/** @type {OfferedSection} */ section) => () =>
    !shown().includes(section) || (hasSteps && section !== current);
  const node = h(
    "div.main",
    { inert: () => session.isBusy },
    h("nav", { "aria-label": say("steps"), hidden: () => !isStepped() }, h("ol.steps", {}, offer.sections.map(step))),
    offer.required.length > 0 && group({ name: say("included"), slots: offer.required }, isLater),
    offer.sections.map((section) => group(section, isAway(section))),
    h("div.pager", { hidden: () => !isStepped() }, back, next),
  );
  return { node, open, follow, reveal, current: () => current };
}
