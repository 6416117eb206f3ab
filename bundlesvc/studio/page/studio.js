/** The studio: logs the user in, and shows the view in the address. */

import { el, icon, part, redraw } from "./dom.js";
import { ApiError, onSessionEnd, send } from "./model/api.js";
import { Catalogue } from "./model/catalogue.js";
import { BundleDocument } from "./model/document.js";
import { readCurrency } from "./model/draft-client.js";
import { FollowedFile } from "./model/followed-file.js";
import { OpenPages } from "./model/open-pages.js";
import { unsavedIds } from "./model/unsaved.js";
import { Workspace } from "./model/workspace.js";
import { bundlesView } from "./views/bundles.js";
import { askAboutClashes } from "./views/clashes.js";
import { createView } from "./views/create.js";
import { editorView } from "./views/editor.js";
import { fileClosedView } from "./views/file-closed.js";
import { fileBanner } from "./views/file-state.js";
import { header } from "./views/header.js";
import { historyView } from "./views/history.js";
import { importBundlesView } from "./views/import-bundles.js";
import { importView } from "./views/import.js";
import { loginView } from "./views/login.js";
import { language, say } from "./words/words.js";

/** @import { SessionInfo, View } from "./types.js" */

/** The part before the secret in the address that `bundlesvc preview` prints. */
const SECRET = "#secret=";
/** The longest time in milliseconds that the page waits for earlier changes to be saved. */
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
window.addEventListener("hashchange", () => {
  if (location.hash.startsWith(SECRET)) start();
  else route(true);
});
await start();

async function start() {
  document.documentElement.lang = language();
  part("skip").textContent = say("skip");
  try {
    await useSecret();
    const { session, demoLogin, file } = (await send("/session")).body;
    if (session) await begin(session, file);
    else logIn(demoLogin, file);
  } catch (error) {
    fail(error);
  }
}

/** Opens a session with the secret in the address, and removes it from there. A secret can be used only once. */
async function useSecret() {
  if (!location.hash.startsWith(SECRET)) return;
  const secret = location.hash.slice(SECRET.length);
  history.replaceState(null, "", location.pathname);
  await send("/file/session", { method: "POST", body: { secret } }).catch(() => {});
}

/** @param {boolean} offersDemo @param {string | null} file */
function logIn(offersDemo, file) {
  if (login && shown === login) return; // several requests may end with the session; a key that was typed since then stays
  workspace?.end();
  workspace = null;
  pages?.end();
  pages = null;
  part("header").replaceChildren();
  part("banner").replaceChildren();
  login = file ? fileClosedView(file) : loginView(offersDemo, (session) => begin(session, null).catch(fail));
  show(login);
  document.getElementById("key")?.focus();
}

/** @param {SessionInfo} session @param {string | null} file the name of the file that is shown, if the studio follows one */
async function begin(session, file) {
  show({ title: say("reading"), nodes: [el("p.soft.reading", { text: say("reading") })] });
  workspace?.end();
  const followed = file ? new FollowedFile(file) : null;
  await followed?.opened;
  workspace = await Workspace.open(session, followed);
  catalogue = new Catalogue(workspace);
  const readings = Promise.all([recover(workspace, catalogue), readCurrency(workspace)]);
  await Promise.race([readings, new Promise((resolve) => setTimeout(resolve, RECOVERY_MS))]);
  workspace.watch();
  workspace.addEventListener("changed", () => shown?.isOutdated?.() && route(false));
  pages?.end();
  pages = followed ? null : new OpenPages(); // nobody works together on a file here
  redraw(part("header"), [header(workspace, catalogue, pages, start)]);
  redraw(part("banner"), [followed && fileBanner(workspace, followed)]);
  route(false);
}

/** Saves changes that an earlier page could not save. @param {Workspace} workspace @param {Catalogue} catalogue */
async function recover(workspace, catalogue) {
  for (const id of unsavedIds(workspace)) {
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
