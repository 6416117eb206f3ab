/** Lists whose items can be reordered: by dragging, with buttons, and with Alt and the arrow keys. */

import { announce, el, icon, iconButton } from "../dom.js";
import { say } from "../words/words.js";

/** The items with one of them moved. @template T @param {readonly T[]} items @param {number} from @param {number} to */
export function moved(items, from, to) {
  const made = items.toSpliced(from, 1);
  return made.toSpliced(to, 0, /** @type {T} */ (items[from]));
}

/**
 * The handle and the buttons that move an item.
 *
 * @param {HTMLElement} item
 * @param {{ id: string, name: string, place: number, count: number, move: (from: number, to: number) => void }} options
 */
export function orderTools(item, { id, name, place, count, move }) {
  const go = (/** @type {number} */ to) => {
    if (to < 0 || to >= count) return;
    move(place, to);
    announce(say("moved", { name, place: to + 1, count }));
    document.getElementById(`${id}-${to < place ? "up" : "down"}-${to}`)?.focus();
  };
  item.addEventListener("keydown", (event) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    go(place + (event.key === "ArrowUp" ? -1 : 1));
  });
  const handle = el("span.handle", { draggable: "true", title: say("drag"), "aria-hidden": "true" }, icon("drag"));
  makeDraggable(item, handle, id, place, move);
  return el(
    "span.order-tools",
    {},
    handle,
    iconButton("up", say("move-up", { name }), () => go(place - 1), { id: `${id}-up-${place}`, disabled: place === 0 }),
    iconButton("down", say("move-down", { name }), () => go(place + 1), {
      id: `${id}-down-${place}`,
      disabled: place === count - 1,
    }),
  );
}

/**
 * @param {HTMLElement} item
 * @param {HTMLElement} handle
 * @param {string} list only items of the same list take each other's places
 * @param {number} place
 * @param {(from: number, to: number) => void} move
 */
function makeDraggable(item, handle, list, place, move) {
  const kind = `application/x-${list}`.toLowerCase();
  handle.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData(kind, String(place));
    event.dataTransfer?.setDragImage(item, 20, 20);
    event.stopPropagation();
  });
  const isOurs = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes(kind);
  item.addEventListener("dragover", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    item.dataset["over"] = "true";
  });
  item.addEventListener("dragleave", () => {
    delete item.dataset["over"];
  });
  item.addEventListener("drop", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const from = Number(event.dataTransfer?.getData(kind));
    if (from !== place) move(from, place);
  });
}
