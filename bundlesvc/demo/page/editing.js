/** Edits a bundle in the cart, and creates links to a selection. */

import { decodeSelection, encodeSelection } from "/storefront/client/client.js";
import { OWN } from "./address.js";
import { announce, h, part } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./cart.js").CartStore} CartStore */
/** @typedef {import("./cart.js").Entry} Entry */
/** @typedef {import("../../storefront/client/client.js").ShopperSelection} ShopperSelection */

/**
 * The bundle of the cart that the page is editing.
 *
 * @param {CartStore} store
 * @param {Address} address
 * @returns {Entry | undefined}
 */
export function edited({ entries }, { state }) {
  return entries.find(({ key, note }) => key === state.edit && note.page === state.bundle);
}

/** The line above a bundle that is being edited. */
export function editingNote(/** @type {Address} */ address) {
  const cancel = () => {
    part("builder")?.reset();
    address.set({ edit: "", cart: true });
  };
  const button = h("button.quiet", { type: "button", text: say("cancel"), click: cancel });
  return h("div.editing", { id: "editing", hidden: true }, h("p", { text: say("editing") }), button);
}

/**
 * Opens in the component the selection that the address specifies: that of a bundle in the cart, or that of a link.
 *
 * @param {CartStore} store
 * @param {Address} address
 */
export function openSelection(store, address) {
  const builder = part("builder");
  if (!builder) return;
  const entry = edited(store, address);
  part("editing").hidden = !entry;
  const key = entry?.key ?? "";
  if (builder.dataset.editing !== key) {
    builder.dataset.editing = key;
    if (entry?.data) builder.setAttribute("configured", entry.data);
    else builder.removeAttribute("configured");
    if (entry && !entry.data) builder.selection = decodeSelection(entry.note.selection);
  }
  const { selection } = address.state;
  if (!selection) return;
  try {
    builder.selection = decodeSelection(selection);
  } catch {
    builder.before(h("p.message", { role: "alert", text: say("badLink") }));
  }
  address.set({ selection: "" }); // so that it is opened once
}

/** The link to the current selection. It is shown once something is chosen. */
export function shareLink() {
  return h("a.share", { id: "share", href: "", hidden: true, text: say("share"), click: copy });
}

/** Updates the link to the current selection. */
export function updateShareLink(/** @type {Address} */ address, /** @type {ShopperSelection} */ selection) {
  const link = part("share");
  link.hidden = !selection.items.length;
  link.textContent = say("share");
  link.href = address.to({ ...OWN, selection: encodeSelection(selection) });
}

/** Copies the link's address. If the browser does not allow this, the link is followed instead. */
async function copy(/** @type {MouseEvent} */ event) {
  const link = part("share");
  if (!navigator.clipboard || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = say("shared");
    announce(say("shared"));
  } catch {
    location.assign(link.href);
  }
}
