/** The dialog that creates and revokes preview links of a bundle. */

import { openDialog } from "../dialogs.js";
import { announce, el, redraw } from "../dom.js";
import { ApiError, manage, newKey } from "../model/api.js";
import { moment } from "../model/money.js";
import { counted, say } from "../words/words.js";

/** @import { BundleDocument } from "../model/document.js" */
/** @import { Workspace } from "../model/workspace.js" */

/** @typedef {{ id: number, bundleId: number, revision: number, time: string, author: string, createdAt: string, expiresAt: string }} Link */

const DAYS = [1, 7, 30];
const USUAL_DAYS = 7;

/** @param {Workspace} workspace @param {BundleDocument} doc @param {string} time a local time of the shop, as at which it is shown; "" for now */
export function share(workspace, doc, time) {
  const made = el("div.made-link", { role: "status" });
  const heading = el("h3", { id: "links-title", text: say("links-valid"), hidden: true });
  const links = el("ul.links", { "aria-labelledby": "links-title" });
  const fault = el("p.fault", { role: "alert" });
  /** The number of the link whose address is shown. */
  let newest = 0;
  const days = el(
    "select",
    { id: "share-days" },
    ...DAYS.map((number) =>
      el("option", { value: number, text: counted(number, "day"), selected: number === USUAL_DAYS }),
    ),
  );

  /** @param {() => Promise<void>} work */
  async function trying(work) {
    fault.textContent = "";
    try {
      await work();
    } catch (error) {
      fault.textContent = error instanceof ApiError && error.message ? error.message : say("not-reached");
    }
  }

  async function make() {
    await doc.saved();
    const body = { bundleId: doc.id, days: Number(days.value), ...(time ? { time } : {}) };
    const path = `/revisions/${workspace.number}/preview-links`;
    const { body: link } = await manage(path, { method: "POST", body, key: newKey() });
    newest = link.id;
    const address = el("input", {
      id: "share-address",
      readonly: true,
      value: new URL(link.address, location.origin).href,
      "aria-label": say("link-address"),
      focus: () => address.select(),
    });
    const hint = el("p.hint", { text: say("link-once") });
    redraw(made, [
      el("div.with-unit", {}, address, el("button.primary", { type: "button", text: say("copy"), click: copy })),
      hint,
    ]);
    address.focus();
    await list();
    async function copy() {
      address.select();
      hint.textContent = say((await isCopied(address.value)) ? "copied" : "copy-yourself");
    }
  }

  async function list() {
    const { body } = await manage("/preview-links");
    const own = /** @type {Link[]} */ (body).filter(({ bundleId }) => bundleId === doc.id);
    heading.hidden = !own.length;
    redraw(links, own.map(item));
  }

  function item(/** @type {Link} */ link) {
    const about = [
      say("revision", { number: link.revision }),
      say("link-of", { author: link.author, made: moment(link.createdAt), until: moment(link.expiresAt) }),
      ...(link.time === "now" ? [] : [say("link-time", { time: moment(link.time) })]),
    ].join(" · ");
    const end = async () => {
      await manage(`/preview-links/${link.id}`, { method: "DELETE" });
      if (link.id === newest) redraw(made, []);
      await list();
      document.getElementById("make-link")?.focus();
      announce(say("link-ended"));
    };
    return el(
      "li",
      {},
      el("span", { text: about }),
      el("button.quiet.small", {
        type: "button",
        "aria-label": `${say("end-link")}: ${about}`,
        text: say("end-link"),
        click: () => trying(end),
      }),
    );
  }

  trying(list);
  return openDialog(say("share-title", { name: doc.now.name }), () => [
    el("p", { text: say("share-text") }),
    el(
      "div.with-unit.share-how",
      {},
      el("label", { for: "share-days", text: say("share-days") }),
      days,
      el("button.primary", { type: "button", id: "make-link", text: say("make-link"), click: () => trying(make) }),
    ),
    fault,
    made,
    heading,
    links,
  ]);
}

/**
 * Copies a text, and returns whether this succeeded. Pages loaded over plain HTTP have no access to the clipboard, so
 * they copy the selection instead.
 *
 * @param {string} text
 */
async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
