/** The studio: logs in, and shows the view in the address. */

import { el, icon, part, redraw } from "./dom.js";
import { ApiError, onSessionEnd, send } from "./model/api.js";
import { Catalogue } from "./model/catalogue.js";
import { BundleDocument } from "./model/document.js";
import { readCurrency } from "./model/draft-client.js";
import { OpenPages } from "./model/open-pages.js";
import { Workspace } from "./model/workspace.js";
import { bundlesView } from "./views/bundles.js";
import { askAboutClashes } from "./views/clashes.js";
import { createView } from "./views/create.js";
import { editorView } from "./views/editor.js";
import { header } from "./views/header.js";
import { historyView } from "./views/history.js";
import { importBundlesView } from "./views/import-bundles.js";
import { importView } from "./views/import.js";
import { loginView } from "./views/login.js";
import { language, say } from "./words/words.js";

/** @import { SessionInfo, View } from "./types.js" */

/** How long the page waits for what is to be saved first. */
const RECOVERY_MS = 5000;

/** @type {Workspace | null} */
let workspace = null;
/** @type {Catalogue | null} */
let catalogue = null;
/** @type {OpenPages | null} */
let pages = null;
/** @type {View | null} */
let shown = null;
/** @type {View | null} */
let login = null;

onSessionEnd(start);
window.addEventListener("hashchange", () => route(true));
await start();

async function start() {
  document.documentElement.lang = language();
  part("skip").textContent = say("skip");
  try {
    const { session, demoLogin } = (await send("/session")).body;
    if (session) await begin(session);
    else logIn(demoLogin);
  } catch (error) {
    fail(error);
  }
}

function logIn(/** @type {boolean} */ offersDemo) {
  if (login && shown === login) return; // several requests may end with the session; a key that was typed since then stays
  workspace?.end();
  workspace = null;
  pages?.end();
  pages = null;
  part("header").replaceChildren();
  login = loginView(offersDemo, (session) => begin(session).catch(fail));
  show(login);
  document.getElementById("key")?.focus();
}

async function begin(/** @type {SessionInfo} */ session) {
  show({ title: say("reading"), nodes: [el("p.soft.reading", { text: say("reading") })] });
  workspace?.end();
  workspace = await Workspace.open(session);
  catalogue = new Catalogue(workspace);
  const readings = Promise.all([recover(workspace, catalogue), readCurrency(workspace)]);
  await Promise.race([readings, new Promise((resolve) => setTimeout(resolve, RECOVERY_MS))]);
  workspace.watch();
  pages?.end();
  pages = new OpenPages();
  redraw(part("header"), [header(workspace, catalogue, pages, start)]);
  route(false);
}

/** Saves what an earlier page could not. @param {Workspace} workspace @param {Catalogue} catalogue */
async function recover(workspace, catalogue) {
  for (const id of BundleDocument.unsaved(workspace)) {
    const bundle = workspace.bundle(id);
    if (!bundle) continue;
    const doc = new BundleDocument(workspace, bundle, (clashes) => askAboutClashes(clashes, catalogue));
    await doc.saved();
    doc.end();
  }
}

function route(/** @type {boolean} */ focuses) {
  if (!workspace || !catalogue) return;
  const [, name = "", id = ""] = location.hash.split("/");
  if (name === "new") show(createView(workspace, catalogue));
  else if (name === "bundles") show(editorView(workspace, catalogue, Number(id)));
  else if (name === "history") show(historyView(workspace, catalogue));
  else if (name === "import") show(workspace.hasPlatformBundles ? importBundlesView(workspace) : importView(workspace));
  else show(bundlesView(workspace));
  for (const link of part("header").querySelectorAll("nav a")) {
    const isHere = link.getAttribute("href") === `#/${name === "bundles" || name === "new" ? "" : name}`;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  pages?.show(name === "bundles" ? Number(id) || null : null);
  window.scrollTo(0, 0);
  if (focuses && document.activeElement === document.body)
    document.getElementById("title")?.focus({ preventScroll: true });
}

function show(/** @type {View} */ view) {
  shown?.end?.();
  shown = view;
  document.title = `${view.title} · ${say("studio")}`;
  redraw(part("main"), [...view.nodes]);
}

function fail(/** @type {unknown} */ error) {
  const message = error instanceof ApiError && error.message ? error.message : say("not-reached");
  const again = el("button.primary", { type: "button", click: start }, icon("repeat"), say("try-again"));
  show({ title: message, nodes: [el("div.notice", { role: "alert" }, el("p", { text: message }), again)] });
  if (!(error instanceof ApiError)) throw error;
}
