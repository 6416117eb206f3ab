/** The editor of a bundle, with the preview next to it. */

import { el, icon, iconButton, part, redraw } from "../dom.js";
import { arms, testOf } from "../editor/arms.js";
import { basics } from "../editor/basics.js";
import { conditions } from "../editor/conditions.js";
import { discount } from "../editor/discount.js";
import { findingsOf, isBroken, showFindings } from "../editor/findings.js";
import { personalisation } from "../editor/personalisation.js";
import { preview } from "../editor/preview.js";
import { required } from "../editor/required.js";
import { rules } from "../editor/rules.js";
import { sections } from "../editor/sections.js";
import { subscription } from "../editor/subscription.js";
import { summaryOf } from "../editor/summaries.js";
import { translations } from "../editor/translations.js";
import { BundleDocument } from "../model/document.js";
import { lint } from "../model/revisions.js";
import { say, sayOf } from "../words/words.js";
import { askAboutClashes } from "./clashes.js";

/** @import { Child } from "../dom.js" */
/** @import { Finding, View } from "../types.js" */
/** @import { Editing } from "../editor/editing.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** @type {Readonly<Record<string, (editing: Editing) => Child[]>>} */
const PANELS = {
  basics,
  sections,
  discount,
  rules,
  required,
  conditions,
  subscription,
  personalisation,
  arms,
  translations,
};
const OPEN = ["basics", "sections", "discount", "rules"];

/**
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @param {number} id
 * @returns {View}
 */
export function editorView(workspace, catalogue, id) {
  const bundle = workspace.bundle(id);
  if (!bundle) return gone(workspace, id);
  const doc = new BundleDocument(workspace, bundle, (clashes) => askAboutClashes(clashes, catalogue));
  const editing = { doc, workspace, catalogue };
  /** @type {readonly Finding[]} */
  let findings = [];
  const shown = preview(editing);
  const state = el("p.save-state", { role: "status", id: "save-state" });
  const undo = iconButton("undo", say("undo"), () => doc.undo(), { id: "undo", "aria-keyshortcuts": "Control+Z" });
  const redo = iconButton("redo", say("redo"), () => doc.redo(), {
    id: "redo",
    "aria-keyshortcuts": "Control+Shift+Z",
  });
  const title = el("h1", { id: "title", tabindex: -1, text: bundle.name });
  const panels = Object.keys(PANELS).map(panelNode);
  const form = el("fieldset.form", { "aria-label": say("editor"), disabled: !workspace.mayWrite }, ...panels);
  const first = workspace.mayWrite ? "form" : "preview";
  const desk = el("div.desk", { "data-shown": first }, form, shown.node);

  function panelNode(/** @type {string} */ name) {
    const body = el("div.panel-body");
    return el(
      "details.panel",
      { "data-panel": name, id: `panel-${name}`, open: OPEN.includes(name) || hasContent(name) },
      el(
        "summary",
        {},
        el("h2", { text: sayOf("panel", name) }),
        el("span.panel-count", { role: "img" }),
        el("span.panel-summary.soft"),
      ),
      el("p.hint", { text: sayOf("panel-hint", name) }),
      body,
    );
  }

  /** Whether a panel that may be empty has content. */
  function hasContent(/** @type {string} */ name) {
    const own = { required: "requiredProducts" }[name] ?? name;
    if (name === "arms") return testOf(workspace, doc.id) !== undefined;
    const value = doc.get(own);
    if (name === "translations") return false;
    return Array.isArray(value) ? value.length > 0 : value !== undefined && Object.keys(value).length > 0;
  }

  function draw() {
    const opened = new Set([...form.querySelectorAll("details[open]")].map((each) => each.id));
    for (const [name, content] of Object.entries(PANELS)) {
      const body = form.querySelector(`[data-panel="${name}"] .panel-body`);
      if (body) redraw(body, content(editing));
    }
    for (const each of form.querySelectorAll(".panel-body details")) {
      if (opened.has(each.id)) each.setAttribute("open", "");
    }
    tell();
  }

  /** Updates what can change while somebody is typing. */
  function tell() {
    title.textContent = doc.now.name || say("unnamed");
    document.title = `${title.textContent} · ${say("studio")}`;
    undo.disabled = !doc.canUndo;
    redo.disabled = !doc.canRedo;
    for (const name of Object.keys(PANELS)) {
      const summary = form.querySelector(`[data-panel="${name}"] .panel-summary`);
      if (summary) summary.textContent = summaryOf(name, editing);
    }
    showFindings(form, findingsOf(findings, doc.now, workspace), doc);
  }

  function tellState() {
    state.textContent = sayOf("save", doc.state);
    state.dataset["state"] = doc.state;
    if (doc.state === "gone") redraw(part("main"), [...gone(workspace, id).nodes]);
  }

  let isChecking = false;
  let isDue = false;
  /** Fetches the linter's findings, and shows the saved state if it can be shown. */
  async function check() {
    isDue = true;
    if (isChecking) return;
    isChecking = true;
    while (isDue) {
      isDue = false;
      findings = await lint(workspace).catch(() => findings);
    }
    isChecking = false;
    if (!isBroken(findings)) shown.follow();
    showFindings(form, findingsOf(findings, doc.now, workspace), doc);
  }

  const edited = (/** @type {Event} */ event) => {
    if (/** @type {CustomEvent} */ (event).detail.redraws) draw();
    else tell();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || document.querySelector("dialog[open]"))
      return;
    event.preventDefault();
    if (event.shiftKey) doc.redo();
    else doc.undo();
  };
  const drawAgain = () => {
    draw();
    check();
  };
  doc.addEventListener("edited", edited);
  doc.addEventListener("state", tellState);
  workspace.addEventListener("saved", drawShared);
  workspace.addEventListener("changed", drawAgain);
  document.addEventListener("keydown", keys);

  let shared = sharedParts(workspace);
  function drawShared() {
    const now = sharedParts(workspace);
    if (now !== shared) draw();
    shared = now;
    check();
  }

  const switcher = el(
    "div.segments.switcher",
    { role: "group", "aria-label": say("shown") },
    ...["form", "preview"].map((name) =>
      el("button", {
        type: "button",
        id: `show-${name}`,
        "aria-pressed": String(name === first),
        text: name === "preview" ? say("preview") : say(workspace.mayWrite ? "edit" : "bundle"),
        click: () => {
          desk.dataset["shown"] = name;
          for (const button of switcher.children)
            button.setAttribute("aria-pressed", String(button.id === `show-${name}`));
        },
      }),
    ),
  );
  const nodes = [
    el(
      "div.editor-head",
      {},
      el("a.back", { href: "#/" }, icon("back"), say("bundles")),
      title,
      workspace.mayWrite ? state : el("span.save-state"),
      el("div.row.tools", {}, workspace.mayWrite && [undo, redo], switcher),
    ),
    desk,
  ];
  tellState();
  draw();
  check();
  catalogue
    .readBundle(id)
    .then(draw)
    .catch(() => {});
  return {
    title: bundle.name,
    nodes,
    isOutdated: () => doc.state === "gone" && workspace.bundle(id) !== undefined,
    end: () => {
      doc.end();
      workspace.removeEventListener("saved", drawShared);
      workspace.removeEventListener("changed", drawAgain);
      document.removeEventListener("keydown", keys);
    },
  };
}

/** The parts of the shop that the editor shows, as text that can be compared. @param {Workspace} workspace */
function sharedParts({ content: { shop, experiments } }) {
  return JSON.stringify([shop.activeFeatures, experiments]);
}

/** @param {Workspace} workspace @param {number} id @returns {View} */
function gone(workspace, id) {
  return {
    title: say("bundle-gone"),
    isOutdated: () => workspace.bundle(id) !== undefined,
    nodes: [
      el(
        "div.notice",
        {},
        el("h1", { id: "title", tabindex: -1, text: say("bundle-gone") }),
        el("p", { text: say("bundle-gone-text") }),
        el("a.primary", { href: "#/", text: say("bundles") }),
      ),
    ],
  };
}
