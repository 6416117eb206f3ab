/** Types and functions that the panels of the editor share. */

/** @import { BundleDocument } from "../model/document.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Workspace } from "../model/workspace.js" */
/** @import { Bundle, Section } from "../types.js" */

/** @typedef {{ doc: BundleDocument, catalogue: Catalogue, workspace: Workspace }} Editing */

/** @param {Bundle} bundle @returns {readonly Section[]} */
export function sectionsOf(bundle) {
  return bundle.sections ?? [];
}

/**
 * The choices for a field that selects a section or the whole bundle.
 *
 * @param {Bundle} bundle
 * @param {string} whole
 * @returns {[string, string][]}
 */
export function sectionChoices(bundle, whole) {
  return [
    ["", whole],
    ...sectionsOf(bundle).map(({ id, name }) => /** @type {[string, string]} */ ([String(id), name || `#${id}`])),
  ];
}

/** The id of a section in the form in which it is stored; undefined for the whole bundle. @param {string} value */
export function sectionId(value) {
  return value ? Number(value) : undefined;
}

/** The ids of the products that sections offer, without duplicates. @param {Bundle} bundle */
export function offeredIds(bundle) {
  return [
    ...new Set(sectionsOf(bundle).flatMap(({ products = [] }) => products.map((each) => each.platformProductId))),
  ];
}

/** The next free number. @param {readonly number[]} numbers */
export function nextNumber(numbers) {
  return Math.max(0, ...numbers) + 1;
}
