/** The header: the current place, the unpublished changes, and the session. */

import { el, redraw } from "../dom.js";
import { send } from "../model/api.js";
import { listed } from "../model/money.js";
import { diff } from "../model/revisions.js";
import { counted, chooseLanguage, language, say } from "../words/words.js";
import { fileState } from "./file-state.js";
import { review } from "./review.js";

/** @import { Catalogue } from "../model/catalogue.js" */
/** @import { OpenPage, OpenPages } from "../model/open-pages.js" */
/** @import { Workspace } from "../model/workspace.js" */

/**
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @param {OpenPages | null} pages null where nobody works together
 * @param {() => void} restart draws the page again, in another language or without a session
 */
export function header(workspace, catalogue, pages, restart) {
  const draft = el("div.draft", { id: "draft" });
  let reading = 0;

  async function tell() {
    const own = ++reading;
    if (!workspace.draft) return redraw(draft, [el("p.soft", { text: say("all-live") })]);
    const changes = await diff(workspace.number).catch(() => null);
    if (own !== reading || !workspace.draft) return;
    const count = changes ? counted(changes.length, "change") : "";
    redraw(draft, [
      el(
        "p.soft",
        {},
        say("draft", { number: workspace.draft.number }),
        count && el("span.count", { text: ` · ${count}` }),
      ),
      el("button.primary", {
        type: "button",
        id: "review",
        text: say("review"),
        click: () => review(workspace, catalogue),
      }),
    ]);
  }

  const others = el("p.others.soft", { id: "others", role: "status" });
  /** @param {OpenPage} page */
  function named({ label, bundleId }) {
    const name = bundleId === null ? undefined : workspace.bundle(bundleId)?.name;
    return name ? say("at-bundle", { label, name }) : label;
  }
  pages?.addEventListener("changed", () => {
    const texts = [...new Set(pages?.others.map(named))];
    others.textContent = texts.length ? say("also-here", { names: listed(texts) }) : "";
  });

  const languages = el(
    "select.small",
    {
      id: "page-language",
      "aria-label": say("page-language"),
      change: () => {
        chooseLanguage(languages.value);
        workspace.end();
        restart();
      },
    },
    ...[
      ["en", "English"],
      ["de", "Deutsch"],
    ].map(([value, text]) => el("option", { value, text, selected: value === language() })),
  );
  const logOut = async () => {
    await send("/session", { method: "DELETE" }).catch(() => {});
    workspace.end();
    restart();
  };
  if (!workspace.file) {
    workspace.addEventListener("changed", tell);
    workspace.addEventListener("saved", tell);
    tell();
  }
  const links = /** @type {const} */ ([
    ["#/", "bundles"],
    ["#/history", "history"],
  ]).map(([href, key]) => el("a", { href, text: say(key) }));
  if ((workspace.isEmbedded || workspace.hasPlatformBundles) && workspace.mayWrite)
    links.push(el("a", { href: "#/import", text: say("import") }));
  return el(
    "div.bar",
    {},
    el(
      "a.brand",
      { href: "#/", "aria-label": workspace.shop.name ?? workspace.shop.handle },
      el("img", { src: "/studio/page/favicon.svg", alt: "", width: 28, height: 28 }),
      el("span", { text: workspace.shop.name ?? workspace.shop.handle }),
    ),
    el("nav", { "aria-label": say("studio") }, ...links),
    others,
    workspace.file ? fileState(workspace, workspace.file) : draft,
    el(
      "div.account",
      {},
      languages,
      !workspace.file &&
        el("button.link", {
          type: "button",
          id: "log-out",
          text: say("log-out"),
          title: workspace.session.label,
          click: logOut,
        }),
    ),
  );
}
