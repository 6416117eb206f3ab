/** Findings with their lines in the file. */

import { el } from "../dom.js";
import { counted, say, sayOf } from "../words/words.js";

/** @import { Finding } from "../types.js" */

const SEVERITIES = /** @type {const} */ (["error", "warning", "note"]);

/** @param {readonly Finding[]} findings */
export function findingList(findings) {
  return el(
    "ol.findings",
    {},
    ...findings.map((finding) => {
      const { severity, path, message } = finding;
      const place = [lineOf(finding), path].filter(Boolean).join(" · ");
      return el(
        "li.file-finding",
        { "data-severity": severity },
        el("p.place", {}, el("strong", { text: sayOf("severity", severity) }), ` ${place}`),
        el("p", { text: message }),
        el("p.soft", { text: hintOf(finding) }),
      );
    }),
  );
}

/** The line of a finding; "" when it is unknown. @param {Finding} finding */
export function lineOf({ line }) {
  return line ? say("file-line", { line }) : "";
}

/** The hint of a finding as a sentence; "" when there is none. @param {Finding} finding */
export function hintOf({ hint }) {
  return hint ? `${hint[0]?.toUpperCase()}${hint.slice(1)}.` : "";
}

/** The counts of findings: "1 error, 2 warnings" @param {readonly { severity: string }[]} findings */
export function countedFindings(findings) {
  return SEVERITIES.map((severity) => [severity, findings.filter((each) => each.severity === severity).length])
    .filter(([, count]) => count)
    .map(([severity, count]) => counted(Number(count), /** @type {typeof SEVERITIES[number]} */ (severity)))
    .join(", ");
}

/** The worst severity among findings; undefined when there are none. @param {readonly { severity: string }[]} findings */
export function worstOf(findings) {
  return SEVERITIES.find((severity) => findings.some((each) => each.severity === severity));
}
