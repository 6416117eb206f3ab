/** Lets the user choose products from a list with pictures and a search field. */

import { openDialog } from "./dialogs.js";
import { announce, el, icon, redraw } from "./dom.js";
import { ApiError } from "./model/api.js";
import { money } from "./model/money.js";
import { counted, say, sayOf } from "./words/words.js";

/** @import { Product } from "./types.js" */
/** @import { Catalogue } from "./model/catalogue.js" */
/** @import { Workspace } from "./model/workspace.js" */
/** @import { Key } from "./words/words.js" */

const PAUSE_MS = 200;
/** The longest text that the service searches for. */
const LONGEST = 200;
const PLACEHOLDER = "/studio/page/product.svg";

/** @param {string | undefined} address */
export function picture(address) {
  const image = el("img.picture", { src: address || PLACEHOLDER, alt: "", loading: "lazy" });
  image.addEventListener("error", () => image.setAttribute("src", PLACEHOLDER), { once: true });
  return image;
}

/**
 * A search with its results, from which one or several products can be chosen.
 *
 * @param {{
 *   id: string, workspace: Workspace, catalogue: Catalogue, isSingle?: boolean, chosen: readonly Product[],
 *   taken?: ReadonlySet<string>, choose: (products: Product[]) => void,
 * }} options `taken`: products that cannot be chosen, because they are there already
 */
export function productPicker({ id, workspace, catalogue, isSingle = false, chosen, taken = new Set(), choose }) {
  let now = [...chosen];
  let reading = new AbortController();
  let timer = 0;
  const list = el("ul.picker-list", { "aria-label": say("products-found") });
  const foot = el("div.picker-foot");
  const count = el("p.picker-count", { role: "status" });
  const search = el("input", {
    id: `${id}-search`,
    type: "search",
    maxlength: LONGEST,
    placeholder: say("search-products"),
    "aria-label": say("search-products"),
    autocomplete: "off",
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(find, PAUSE_MS);
    },
  });
  const root = el("div.picker", { id }, el("div.search", {}, icon("search"), search), list, foot, count);

  async function find(after = "") {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    list.setAttribute("aria-busy", "true");
    try {
      const found = await catalogue.search(search.value.trim(), after, signal);
      if (!signal.aborted) show(found, after);
    } catch (error) {
      if (!signal.aborted) showFailure(error, after);
    }
    if (!signal.aborted) list.removeAttribute("aria-busy");
  }

  /** @param {{ products: readonly Product[], next: string }} found @param {string} after */
  function show({ products, next }, after) {
    const isFirst = !after;
    const mine = isFirst && !search.value.trim() ? now.filter((each) => !products.some(isLike(each))) : [];
    const items = [...mine, ...products].map(item);
    if (isFirst) redraw(list, items.length || next ? items : [el("li.empty", { text: say("no-products-found") })]);
    else list.append(...items);
    redraw(foot, next ? [button("more-products", () => find(next))] : []);
    if (!isFirst) items[0]?.querySelector("input")?.focus();
    tell();
  }

  /** @param {unknown} error @param {string} after */
  function showFailure(error, after) {
    const code = error instanceof ApiError ? error.code : "";
    const text = code.startsWith("platform_") ? sayOf("search", code) : say("search-failed");
    if (!after) redraw(list, []);
    redraw(foot, [el("p.soft", { role: "alert", text }), button("try-again", () => find(after))]);
  }

  /** @param {Key} name @param {() => void} click */
  function button(name, click) {
    return el("button.quiet.small", { type: "button", id: `${id}-${name}`, text: say(name), click });
  }

  function item(/** @type {Product} */ product) {
    const isTaken = taken.has(product.platformProductId);
    const input = el("input", {
      id: `${id}-${product.platformProductId}`,
      type: isSingle ? "radio" : "checkbox",
      name: isSingle ? id : null,
      checked: isTaken || now.some(isLike(product)),
      disabled: isTaken,
      change: () => {
        if (isSingle) now = [product];
        else now = input.checked ? [...now, product] : now.filter((each) => !isLike(product)(each));
        choose(now);
        tell();
      },
    });
    const [first] = product.variants;
    const price = first ? money(first.price, workspace.currency) : "";
    return el(
      "li",
      {},
      el(
        "label.picker-item",
        {},
        input,
        picture(product.imageUrl),
        el("span.picker-title", { text: product.title }),
        el("span.soft", { text: isTaken ? say("is-there") : price }),
      ),
    );
  }

  function tell() {
    count.textContent = now.length ? say("chosen", { things: counted(now.length, "product") }) : "";
  }

  find();
  return root;
}

/** @param {Product} product */
function isLike(product) {
  return (/** @type {Product} */ other) => other.platformProductId === product.platformProductId;
}

/**
 * Lets the user choose products in a dialog. Resolves with the products, or with none when the dialog is cancelled.
 *
 * @param {Workspace} workspace
 * @param {Catalogue} catalogue
 * @param {{ isSingle?: boolean, taken?: ReadonlySet<string> }} [how]
 * @returns {Promise<Product[]>}
 */
export async function pickProducts(workspace, catalogue, { isSingle = false, taken = new Set() } = {}) {
  /** @type {Product[]} */
  let chosen = [];
  const title = say(isSingle ? "pick-product" : "pick-products");
  const result = await openDialog(
    title,
    (/** @type {(result: Product[] | null) => void} */ close) => {
      const take = el("button.primary", {
        type: "button",
        text: say("take"),
        disabled: true,
        click: () => close(chosen),
      });
      const choose = (/** @type {Product[]} */ products) => {
        chosen = products;
        take.disabled = !chosen.length;
      };
      return [
        productPicker({ id: "picker", workspace, catalogue, isSingle, chosen: [], taken, choose }),
        el(
          "div.actions",
          {},
          el("button.quiet", { type: "button", text: say("cancel"), click: () => close(null) }),
          take,
        ),
      ];
    },
    { isWide: true },
  );
  if (result?.length) announce(say("added", { things: counted(result.length, "product") }));
  return result ?? [];
}
