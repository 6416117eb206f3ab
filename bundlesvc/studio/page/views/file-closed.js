/** The view in place of the login when there is no session and the studio follows a file, because then nobody has a key
 * to log in with. */

import { el } from "../dom.js";
import { say } from "../words/words.js";

/** @import { View } from "../types.js" */

/** @param {string} file @returns {View} */
export function fileClosedView(file) {
  const mark = el("img.login-mark", { src: "/studio/page/favicon.svg", alt: "" });
  const title = say("file-closed", { file });
  return {
    title,
    nodes: [el("div.login", {}, mark, el("h1", { text: title }), el("p.lead", { text: say("file-closed-text") }))],
  };
}
