/** The history of a shop: its revisions, the changes of each, and a way to restore one. */

import { confirmed, openDialog } from "../dialogs.js";
import { announce, el, redraw } from "../dom.js";
import { moment } from "../model/money.js";
import { restoreRevision } from "../model/publishing.js";
import { diff, newestRevisions } from "../model/revisions.js";
import { say, sayOf } from "../words/words.js";
import { changeList } from "./changes.js";

/** @import { Revision, View } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Workspace } from "../model/workspace.js" */

/**
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @returns {View}
 */
export function historyView(workspace, catalogue) {
  const list = el("ol.revisions", { "aria-label": say("history") });

  async function read() {
    const revisions = await newestRevisions();
    redraw(list, revisions.filter(({ state }) => state !== "discarded").map(row));
  }

  function row(/** @type {Revision} */ revision) {
    const { number, state, author, message, createdAt, publishedAt, publishAt, problem } = revision;
    const time = state === "scheduled" && publishAt ? publishAt : (publishedAt ?? createdAt);
    return el(
      "li.revision",
      { "data-state": state },
      el(
        "div.revision-text",
        {},
        el(
          "p",
          {},
          el("strong", { text: say("revision", { number }) }),
          " ",
          el("span.tag", { "data-state": state, text: sayOf("revision", state) }),
        ),
        el("p", { text: message || say("no-message") }),
        el("p.soft", { text: say("by", { author, time: moment(time) }) }),
        problem && el("p.fault", { text: problem }),
      ),
      el(
        "div.row",
        {},
        el("button.quiet.small", {
          type: "button",
          id: `changes-${number}`,
          text: say("show-changes"),
          click: () => showChanges(revision),
        }),
        state === "past" &&
          workspace.mayWrite &&
          el("button.quiet.small", {
            type: "button",
            id: `revert-${number}`,
            text: say("restore"),
            click: () => restore(revision),
          }),
        state === "draft" &&
          number !== workspace.draft?.number &&
          el("button.quiet.small", {
            type: "button",
            id: `open-${number}`,
            text: say("open-draft"),
            click: () => open(revision),
          }),
      ),
    );
  }

  async function showChanges(/** @type {Revision} */ { number, state, base }) {
    const against = state === "live" || state === "past" ? (base ?? number) : "live";
    const changes = await diff(number, String(against));
    await openDialog(say("changes-of", { number }), () => [changeList(changes, workspace, catalogue)], {
      isWide: true,
    });
  }

  async function restore(/** @type {Revision} */ { number }) {
    if (!(await confirmed(say("restore"), say("restore-text", { number }), say("restore-it")))) return;
    await restoreRevision(workspace, number);
    announce(say("was-restored", { number }));
    location.hash = "#/";
  }

  async function open(/** @type {Revision} */ revision) {
    await workspace.choose(revision);
    location.hash = "#/";
  }

  read();
  const follow = () => read().catch(() => {}); // what is shown stays
  workspace.addEventListener("changed", follow);
  return {
    title: say("history"),
    nodes: [
      el("div.view-head", {}, el("h1", { id: "title", tabindex: -1, text: say("history") })),
      el("p.lead", { text: workspace.file ? say("file-history") : say("history-text") }),
      list,
    ],
    end: () => workspace.removeEventListener("changed", follow),
  };
}
