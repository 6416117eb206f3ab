/** The cart drawer: a modal dialog, so the browser keeps the focus inside and restores it afterwards. */

import { BuyBar } from "./buy-bar.js";
import { announce, h, part } from "./dom.js";
import { money, sum } from "./money.js";
import { Simulator } from "./simulator.js";
import { say } from "./words.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./cart.js").CartStore} CartStore */
/** @typedef {import("./cart.js").Entry} Entry */
/** @typedef {import("./types.js").Shop} Shop */

export class Drawer {
  #dialog = part("drawer");
  #title = h("h2", { id: "drawer-title", tabindex: -1 });
  #close = h("button.close", { type: "button", text: "×", click: () => this.#leave() });
  #entries = h("ul.entries", { role: "list" });
  #store;
  #address;
  #simulator;
  #buyBar;

  /**
   * @param {CartStore} store
   * @param {Address} address
   */
  constructor(store, address) {
    this.#store = store;
    this.#address = address;
    this.#simulator = new Simulator(store, address);
    this.#buyBar = new BuyBar(store, address, this.#simulator);
    const head = h("header.drawer-head", {}, this.#title, this.#close);
    const said = h("p.hidden-text", { role: "status", "data-said": true });
    this.#dialog.append(head, this.#entries, this.#simulator.node, this.#buyBar.node, said);
    this.#dialog.addEventListener("cancel", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#leave();
    });
    this.#dialog.addEventListener("click", (/** @type {Event} */ event) => {
      if (event.target === this.#dialog) this.#leave();
    });
    part("cart-button").addEventListener("click", () => address.set({ cart: true }));
    store.addEventListener("change", () => this.update());
    address.onChange((now, before) => {
      this.#toggle();
      if (now.cart && (now.country !== before.country || now.tamper !== before.tamper)) this.#simulator.run();
    });
  }

  /** Draws everything in the language of the shop. */
  draw(/** @type {Shop} */ shop) {
    this.#buyBar.draw(shop);
    this.update();
  }

  /** Draws the contents of the cart in the current language. */
  update() {
    const { entries, count } = this.#store;
    part("cart-button").disabled = false;
    part("cart-count").textContent = String(count);
    part("cart-button").setAttribute("aria-label", say("cartCount", { count }));
    this.#title.textContent = say("cartTitle");
    this.#close.setAttribute("aria-label", say("close"));
    const rows = entries.map((entry) => this.#row(entry));
    this.#entries.replaceChildren(...(rows.length ? rows : [this.#empty()]));
    this.#simulator.node.hidden = !rows.length;
    this.#buyBar.update(!rows.length);
    if (this.#dialog.open && rows.length) this.#simulator.run();
    this.#toggle();
  }

  #toggle() {
    const { cart } = this.#address.state;
    if (cart && !this.#dialog.open) {
      this.#dialog.showModal();
      if (this.#store.count) this.#simulator.run();
    }
    if (!cart) this.#dialog.close();
  }

  #leave() {
    this.#address.set({ cart: false });
  }

  #empty() {
    const href = this.#address.to({ bundle: null, edit: "", order: "", cart: false });
    const link = h("a.button", { href, "data-home": true, text: say("heroLink") });
    return h("li.empty", {}, h("p", { text: say("cartEmpty") }), link);
  }

  #row(/** @type {Entry} */ entry) {
    const { title, imageUrl, contents, pricing, presentment } = entry.note;
    const { originalPrice, discountedPrice, currency } = presentment ?? pricing;
    const price = (/** @type {string} */ each) => money(sum(Array(entry.quantity).fill(each)), currency);
    const isReduced = originalPrice !== discountedPrice;
    const label = say("remove", { title });
    const editLabel = `${say("edit")}: ${title}`;
    const edit = h("button.edit", {
      type: "button",
      text: say("edit"),
      "aria-label": editLabel,
      click: () => this.#edit(entry),
    });
    return h(
      "li.entry",
      { "data-testid": "cart-entry" },
      h("div.entry-picture", {}, imageUrl ? h("img", { src: imageUrl, alt: "", width: 80, height: 80 }) : null),
      h(
        "div",
        {},
        h("h3", { text: title }),
        entry.quantity > 1 ? h("p.more", { text: say("each", { count: entry.quantity }) }) : null,
        h("ul.more", { role: "list" }, ...contents.map((text) => h("li", { text }))),
        h(
          "p.entry-price",
          {},
          h("strong", { text: price(discountedPrice) }),
          isReduced ? h("s.more", { text: price(originalPrice) }) : null,
        ),
        entry.note.isLeft ? h("p.message", { role: "alert", text: say("left") }) : null,
        entry.note.page ? edit : null,
      ),
      h("button.close", { type: "button", text: "×", "aria-label": label, click: () => this.#remove(entry) }),
    );
  }

  #edit(/** @type {Entry} */ { key, note: { page } }) {
    this.#address.go({ bundle: page, edit: key, order: "", cart: false });
    part("title").focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: "instant" });
  }

  #remove(/** @type {Entry} */ entry) {
    this.#store.remove(entry);
    announce(say("removed", { title: entry.note.title }));
    this.#title.focus();
  }
}
