/** Shows the linter's findings at the fields that cause them. */

import { el, icon } from "../dom.js";
import { patched, stepsOf } from "../model/plain.js";
import { say, sayOf } from "../words/words.js";
import { testOf } from "./arms.js";
import { hintOf, lineOf } from "./file-findings.js";

/** @import { Bundle, Finding } from "../types.js" */
/** @import { BundleDocument } from "../model/document.js" */
/** @import { Workspace } from "../model/workspace.js" */

const BUNDLE = /^bundles\.(\d+)(?:\.|$)/;
/** The panel for findings without a field, by the first step of their path. */
const PANELS = {
  limitRules: "rules",
  requiredProducts: "required",
  platformProductId: "basics",
  parentVariantId: "basics",
};

/** @typedef {Finding & { own: string }} OwnFinding `own` is the path within the bundle */

/** The bundle that a path points into. @param {string} path @param {Workspace} workspace */
export function bundleAt(path, workspace) {
  return workspace.bundle(Number(BUNDLE.exec(path)?.[1]));
}

/**
 * The findings for one bundle, and for the A/B test that starts at it.
 *
 * @param {readonly Finding[]} findings
 * @param {Bundle} bundle
 * @param {Workspace} workspace
 * @returns {OwnFinding[]}
 */
export function findingsOf(findings, bundle, workspace) {
  const test = `experiments.${testOf(workspace, bundle.id)?.id}.`;
  const inTest = findings
    .filter(({ path }) => path.startsWith(test))
    .map((finding) => ({ ...finding, own: finding.path.slice(test.length) }));
  const inBundle = findings
    .filter(({ path }) => BUNDLE.exec(path)?.[1] === String(bundle.id))
    .map((finding) => ({ ...finding, own: stepsOf(bundle, finding.path.split(".").slice(2)).join(".") }));
  return [...inBundle, ...inTest];
}

/** Whether findings prevent a draft from being shown or published. @param {readonly Finding[]} findings */
export function isBroken(findings) {
  return findings.some(({ code }) => code === "invalid");
}

/**
 * Shows findings below their fields, or otherwise at the top of their panels.
 *
 * @param {HTMLElement} form
 * @param {readonly OwnFinding[]} findings
 * @param {BundleDocument} doc
 */
export function showFindings(form, findings, doc) {
  for (const shown of form.querySelectorAll(".finding")) shown.remove();
  for (const panel of form.querySelectorAll(".panel-count")) panel.textContent = "";
  for (const finding of findings) placeOf(form, finding.own)?.append(itemOf(finding, doc));
  for (const panel of form.querySelectorAll("[data-panel]")) {
    const own = [...panel.querySelectorAll(".finding")];
    const count = panel.querySelector(".panel-count");
    if (!count || !own.length) continue;
    const worst = own.some((each) => each.getAttribute("data-severity") === "error") ? "error" : "warning";
    const notes = own.every((each) => each.getAttribute("data-severity") === "note");
    count.textContent = String(own.length);
    count.setAttribute("data-severity", notes ? "note" : worst);
    count.setAttribute("aria-label", say("findings-here", { count: own.length }));
  }
}

/**
 * The element in which a finding with this path is shown: that of the longest prefix with a field, otherwise the panel.
 *
 * @param {HTMLElement} form
 * @param {string} path
 */
function placeOf(form, path) {
  for (let steps = path.split("."); steps.length; steps = steps.slice(0, -1)) {
    const found = form.querySelector(`[data-path="${CSS.escape(steps.join("."))}"]`);
    if (found) return found.matches("tr, .bare") ? (found.closest("table, li")?.parentElement ?? found) : found;
  }
  const [first = ""] = path.split(".");
  const panel = PANELS[/** @type {keyof typeof PANELS} */ (first)] ?? first;
  return form.querySelector(`[data-panel="${CSS.escape(panel)}"] .panel-body`) ?? form.querySelector(".panel-body");
}

/** @param {OwnFinding} finding @param {BundleDocument} doc */
function itemOf(finding, doc) {
  const { severity, message, fix } = finding;
  const isInFile = finding.line !== undefined;
  const applyFix = () => doc.change((bundle) => patched(bundle, fix));
  return el(
    "p.finding",
    { "data-severity": severity },
    icon("warn"),
    el("span", {}, el("span.hidden-text", { text: `${sayOf("severity", severity)}: ` }), message),
    isInFile && el("span.soft", { text: [lineOf(finding), hintOf(finding)].filter(Boolean).join(": ") }),
    fix !== null && fix !== undefined && el("button.link", { type: "button", text: say("fix-it"), click: applyFix }),
  );
}
