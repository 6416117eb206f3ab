/**
 * The bar at the end of the cart: the amount to pay, and the button that places a test order for the cart as it arrives
 * at the checkout.
 */

import { announce, h } from "./dom.js";
import { money } from "./money.js";
import { placeOrder } from "./orders.js";
import { charged } from "./receipt.js";
import { say } from "./words.js";

/** @import { Receipt, Shop } from "./types.js" */
/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./cart.js").CartStore} CartStore */
/** @typedef {import("./simulator.js").Simulator} Simulator */

export class BuyBar {
  #store;
  #address;
  #simulator;
  #sum = h("p.buy-sum", { "data-testid": "to-pay" });
  #button = h("button.button", { type: "button", click: () => this.#buy() });
  #notice = h("p.more");
  #problem = h("p.buy-problem", { role: "alert" });
  /** @type {Shop | null} */
  #shop = null;
  node = h("div.buy-bar", { hidden: true }, this.#sum, this.#button, this.#notice, this.#problem);

  /**
   * @param {CartStore} store
   * @param {Address} address
   * @param {Simulator} simulator
   */
  constructor(store, address, simulator) {
    this.#store = store;
    this.#address = address;
    this.#simulator = simulator;
    simulator.onReceipt((receipt) => this.#show(receipt));
  }

  /** Draws the texts in the current language. The bar stays hidden when the service takes no orders. */
  draw(/** @type {Shop} */ shop) {
    this.#shop = shop;
    this.#button.textContent = say("buy");
    this.#notice.textContent = say("buyNotice");
    this.#problem.textContent = "";
  }

  /** Hides the bar when the cart is empty. */
  update(/** @type {boolean} */ isEmpty) {
    this.node.hidden = isEmpty || !this.#shop?.canBuy;
  }

  #show(/** @type {Receipt} */ receipt) {
    this.#sum.textContent = say("toPay", { amount: money(...charged(receipt, receipt)) });
    this.#problem.textContent = "";
  }

  async #buy() {
    if (!this.#shop || this.#button.ariaDisabled === "true") return;
    const { visitor } = this.#address.state;
    this.#button.ariaDisabled = "true";
    try {
      const order = await placeOrder(this.#shop, { ...this.#simulator.cart, ...(visitor && { visitorId: visitor }) });
      if (order) this.#leave(order.id);
      else this.#problem.textContent = say("noBundle");
    } catch (error) {
      this.#problem.textContent = say("notBought", { reason: /** @type {Error} */ (error).message });
    }
    this.#button.ariaDisabled = null;
  }

  #leave(/** @type {string} */ order) {
    this.#store.clear();
    this.#address.go({ order, bundle: null, edit: "", selection: "", cart: false, tamper: [] });
    announce(say("orderWaiting"));
    window.scrollTo({ top: 0, behavior: "instant" });
  }
}
