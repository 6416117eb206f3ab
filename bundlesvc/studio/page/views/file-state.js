/** The state of the followed file in the header, and a banner with whatever prevents it from being shown. */

import { el, icon, redraw } from "../dom.js";
import { countedFindings, findingList } from "../editor/file-findings.js";
import { say } from "../words/words.js";
import { timeOfDay } from "../model/money.js";

/** @import { FollowedFile } from "../model/followed-file.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** @param {Workspace} workspace @param {FollowedFile} file */
export function fileState(workspace, file) {
  const state = el("p.file-state", { id: "file-state", role: "status" });
  const draw = () => {
    state.dataset["state"] = file.hasEnded ? "ended" : file.state.isCurrent ? "current" : "faulty";
    redraw(state, [el("strong", { text: file.name }), ` ${sentenceOf(file)}`]);
  };
  workspace.addEventListener("changed", draw);
  draw();
  return state;
}

/** @param {FollowedFile} file */
function sentenceOf({ hasEnded, state: { isCurrent, savedAt, findings } }) {
  if (hasEnded) return say("file-ended-short");
  if (!isCurrent) return say("file-not-shown", { count: countedFindings(findings) });
  const saved = savedAt ? say("file-saved", { time: timeOfDay(savedAt) }) : "";
  return findings.length ? `${saved}, ${countedFindings(findings)}` : saved;
}

/**
 * The reason why the current state of the file is not shown; nothing while it is shown.
 *
 * @param {Workspace} workspace
 * @param {FollowedFile} file
 */
export function fileBanner(workspace, file) {
  const banner = el("div");
  const draw = () => {
    if (file.hasEnded) redraw(banner, [el("p.banner", { role: "alert" }, icon("warn"), say("file-ended"))]);
    else redraw(banner, [file.state.isCurrent ? null : faults()]);
  };
  workspace.addEventListener("changed", draw);
  draw();
  return banner;

  function faults() {
    return el(
      "section.banner",
      { "aria-labelledby": "file-faults" },
      el("h2", { id: "file-faults", text: say("file-faults") }),
      workspace.content.bundles.length > 0 && el("p", { text: say("file-last-good") }),
      findingList(file.faults),
    );
  }
}
