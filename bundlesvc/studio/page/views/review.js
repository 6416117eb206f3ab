/** Review and publish: the changes, their effect on what shoppers have configured, and the time of publication. */

import { confirmed, openDialog } from "../dialogs.js";
import { announce, el, icon, redraw } from "../dom.js";
import { bundleAt, isBroken } from "../editor/findings.js";
import { ApiError } from "../model/api.js";
import { money, moment } from "../model/money.js";
import { discardDraft, publishDraft } from "../model/publishing.js";
import { diff, lint, replay } from "../model/revisions.js";
import { changeList } from "./changes.js";
import { settleConflicts } from "./conflicts.js";
import { counted, say, sayOf } from "../words/words.js";

/** @import { Finding, Replayed, Revision } from "../types.js" */
/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { Workspace } from "../model/workspace.js" */

/**
 * Opens the dialog. Resolves when it is closed.
 *
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 */
export async function review(workspace, catalogue) {
  const published = await openDialog(say("review"), (close) => content(workspace, catalogue, close), { isWide: true });
  if (!published) return;
  const { state, publishAt } = published;
  announce(
    state === "scheduled" && publishAt ? say("was-scheduled", { time: moment(publishAt) }) : say("was-published"),
  );
}

/**
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @param {(published: Revision | null) => void} close
 */
function content(workspace, catalogue, close) {
  const changes = el("div.review-part", {}, el("p.soft", { text: say("reading") }));
  const replayed = el("div.review-part");
  const faults = el("div.review-part");
  const fault = el("div.fault", { role: "alert", id: "publish-fault" });
  const message = el("input", { id: "message", type: "text", maxlength: 255, "aria-describedby": "message-hint" });
  const time = el("input", { id: "publish-at", type: "datetime-local", "aria-describedby": "publish-at-hint" });
  const publish = el("button.primary", { type: "submit", text: say("publish"), disabled: true });
  let canPublish = false;
  let isPublishing = false;
  const form = el(
    "form.publish",
    {
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        go();
      },
    },
    el(
      "div.field",
      {},
      el("label", { for: "message", text: say("message") }),
      el("p.hint", { id: "message-hint", text: say("message-hint") }),
      message,
    ),
    el(
      "details.more",
      {},
      el("summary", { text: say("publish-later") }),
      el(
        "div.field",
        {},
        el("label", { for: "publish-at", text: say("publish-at") }),
        el("p.hint", { id: "publish-at-hint", text: say("publish-at-hint") }),
        time,
      ),
    ),
    fault,
    el(
      "div.actions",
      {},
      el("button.link.danger-link", { type: "button", id: "discard", text: say("discard"), click: discard }),
      el("button.quiet", { type: "button", text: say("cancel"), click: () => close(null) }),
      workspace.mayPublish ? publish : el("p.soft", { text: say("may-not-publish") }),
    ),
  );

  read().catch((error) => {
    redraw(changes, [
      el("p.fault", { text: error instanceof ApiError && error.message ? error.message : say("not-reached") }),
    ]);
  });
  return [changes, replayed, faults, form];

  async function read() {
    await workspace.saved();
    const [found, findings] = await Promise.all([diff(workspace.number), lint(workspace)]);
    redraw(changes, [el("h3", { text: counted(found.length, "change") }), changeList(found, workspace, catalogue)]);
    redraw(faults, findingsPart(findings, workspace));
    if (!isBroken(findings)) {
      redraw(replayed, [el("h3", { text: say("replay") }), el("p.soft", { text: say("reading") })]);
      redraw(replayed, replayPart(await replay(workspace.number).catch(() => []), workspace));
    }
    canPublish = found.length > 0 && !isBroken(findings);
    allow();
  }

  /** Enables publishing once everything about the draft is shown, but not while it is being published. */
  function allow() {
    publish.disabled = isPublishing || !canPublish;
  }

  async function go() {
    if (publish.disabled) return; // the key Enter sends the form, too
    fault.replaceChildren();
    isPublishing = true;
    allow();
    const how = {
      ...(message.value.trim() ? { message: message.value.trim() } : {}),
      ...(time.value ? { publishAt: new Date(time.value).toISOString() } : {}),
    };
    try {
      await workspace.saved();
      close(await publishDraft(workspace, how));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409 && error.body["conflicts"]) {
        await settleConflicts(workspace, catalogue, error.body["conflicts"]);
        await read();
      } else {
        const details = /** @type {{ path: string, message: string }[]} */ (error.body["details"] ?? []);
        fault.replaceChildren(
          el("p", {
            text: error.code === "second_person_required" ? say("second-person") : error.message || say("not-reached"),
          }),
          el("ul", {}, ...details.map(({ path, message: text }) => el("li", { text: `${path}: ${text}` }))),
        );
      }
    } finally {
      isPublishing = false;
      allow();
    }
  }

  async function discard() {
    if (!(await confirmed(say("discard"), say("discard-text"), say("discard-it")))) return;
    await discardDraft(workspace);
    announce(say("was-discarded"));
    close(null);
  }
}

/** @param {readonly Finding[]} findings @param {Workspace} workspace */
function findingsPart(findings, workspace) {
  const told = findings.filter(({ severity }) => severity !== "note");
  if (!told.length) return [el("p.good", {}, icon("check"), say("no-findings"))];
  return [
    el("h3", { text: counted(told.length, "finding") }),
    el(
      "ul.findings",
      {},
      ...told.map(({ severity, message, path }) =>
        el(
          "li.finding",
          { "data-severity": severity },
          icon("warn"),
          el(
            "span",
            {},
            el("strong", { text: `${sayOf("severity", severity)}: ` }),
            message,
            el("span.soft", { text: ` ${subjectOf(path, workspace)}` }),
          ),
        ),
      ),
    ),
  ];
}

/** @param {readonly Replayed[]} replayed @param {Workspace} workspace */
function replayPart(replayed, workspace) {
  const used = replayed.filter(({ selections }) => selections);
  if (!used.length) return [el("h3", { text: say("replay") }), el("p.soft", { text: say("replay-none") })];
  const { currency } = workspace;
  const rows = used.map((each) => {
    const refused = each.refused.reduce((sum, { count }) => sum + count, 0);
    const cells = [
      each.selections,
      each.cheaper,
      each.same,
      each.dearer,
      refused,
      money(each.sumBefore, currency),
      money(each.sumAfter, currency),
    ];
    return el(
      "tr",
      {},
      el("th", { scope: "row", text: workspace.bundle(each.bundleId)?.name ?? `#${each.bundleId}` }),
      ...cells.map((text) => el("td", { text })),
    );
  });
  const head = [
    "bundle",
    "replay-selections",
    "replay-cheaper",
    "replay-same",
    "replay-dearer",
    "replay-refused",
    "replay-before",
    "replay-after",
  ];
  return [
    el("h3", { text: say("replay") }),
    el("p.hint", { text: say("replay-hint") }),
    el(
      "div.table-scroll",
      { tabindex: 0, role: "region", "aria-label": say("replay") },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el("tr", {}, ...head.map((key) => el("th", { scope: "col", text: say(/** @type {any} */ (key)) }))),
        ),
        el("tbody", {}, ...rows),
      ),
    ),
  ];
}

/** The subject of a finding: the name of a bundle, or its path. @param {string} path @param {Workspace} workspace */
function subjectOf(path, workspace) {
  return bundleAt(path, workspace)?.name ?? path;
}
