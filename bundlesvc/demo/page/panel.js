/** The developer panel: switches for situations that a storefront may meet, and the component's events. */

import { h, part } from "./dom.js";
import { NETWORKS } from "./network.js";
import { countriesOf } from "./preferences.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./types.js").Shop} Shop */
/** @typedef {import("../../storefront/client/client.js").EmbedBundle} EmbedBundle */

/** Two fixed visitors, one for each arm of the demo's A/B test. */
const VISITORS = {
  "00000000-0000-4000-8000-000000000000": "visitor A",
  "00000000-0000-4000-8000-000000000001": "visitor B",
};

const NEW_VISITOR = "new";
const EVENTS = ["bundle:ready", "bundle:change", "bundle:addtocart", "bundle:update", "bundle:error"];
const MAX_EVENTS = 12;

export class Panel {
  #address;
  #toggle = part("dev-toggle");
  #panel = part("dev");
  #arm = h("p.more", { "data-testid": "arm" });
  #events = h("ol.events", { role: "list", "data-testid": "events" });
  /** The selects, by the name of the state value that each sets. @type {Record<string, HTMLSelectElement>} */
  #selects;

  /**
   * @param {Address} address
   * @param {Shop} shop
   */
  constructor(address, shop) {
    this.#address = address;
    this.#selects = {
      country: this.#select("country", { ...countriesOf(shop, "en", "none"), NO: "Norway (no market of its own)" }),
      lang: this.#select("lang", { "": "the browser's", ...tags(shop.languages) }),
      visitor: this.#select("visitor", { "": "none", ...VISITORS, [NEW_VISITOR]: "new visitor" }),
      template: this.#select("template", { "": "the bundle's own", ...tags(shop.templates) }),
      network: this.#select("network", NETWORKS),
    };
    const { country, lang, visitor, template, network } = this.#selects;
    this.#panel.append(
      h("h2", { id: "dev-title", text: "For developers" }),
      h(
        "div.switches",
        {},
        h("label", {}, "Country", country),
        h("label", {}, "Language", lang),
        h("div", {}, h("label", {}, "Visitor", visitor), this.#arm),
        h("label", {}, "Template", template),
        h("label", {}, "Network", network),
      ),
      h("details", {}, h("summary", { text: "Events of the component" }), this.#events),
    );
    this.#toggle.addEventListener("click", () => address.set({ dev: !address.state.dev }));
    address.onChange(() => this.update());
    for (const name of EVENTS)
      document.addEventListener(name, (event) => this.#hear(/** @type {CustomEvent} */ (event)));
  }

  /** Shows the current state. */
  update() {
    const { state } = this.#address;
    this.#panel.hidden = !state.dev;
    this.#toggle.disabled = false;
    this.#toggle.setAttribute("aria-expanded", String(state.dev));
    if (state.visitor) option(this.#selects.visitor, state.visitor, `visitor ${state.visitor.slice(0, 8)}`);
    for (const [name, select] of Object.entries(this.#selects)) {
      const value = state[/** @type {"country"} */ (name)];
      option(select, value, value); // the address may have a value that is not in the list
      select.value = value;
    }
    this.#arm.textContent = state.bundle ? this.#arm.textContent : "";
  }

  #hear(/** @type {CustomEvent} */ event) {
    this.#log(event);
    if (event.type === "bundle:ready") this.#showArm(event.detail.bundle);
  }

  #showArm(/** @type {EmbedBundle} */ { experiment, id }) {
    this.#arm.textContent = experiment
      ? `Arm ${experiment.arm} of ${experiment.id}: bundle ${experiment.bundleId}`
      : `No A/B test: bundle ${id}`;
  }

  #log(/** @type {CustomEvent} */ { type, detail }) {
    const text = JSON.stringify(detail, brief, 1)?.replace(/\s+/g, " ") ?? "";
    this.#events.prepend(h("li", { "data-event": type }, h("code", { text: type }), ` ${text}`));
    while (this.#events.children.length > MAX_EVENTS) this.#events.lastChild?.remove();
  }

  #select(/** @type {string} */ name, /** @type {Readonly<Record<string, string>>} */ choices) {
    const select = h("select", { name, change: () => this.#switch(name, select) });
    for (const [value, label] of Object.entries(choices)) option(select, value, label);
    return select;
  }

  #switch(/** @type {string} */ name, /** @type {HTMLSelectElement} */ { value }) {
    this.#address.set({ [name]: value === NEW_VISITOR ? randomUuid() : value });
  }
}

/** Adds an option unless it already exists. */
function option(/** @type {HTMLSelectElement} */ select, /** @type {string} */ value, /** @type {string} */ text) {
  if ([...select.options].some((one) => one.value === value)) return;
  select.append(h("option", { value, text }));
}

function tags(/** @type {readonly string[]} */ names) {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** Shortens an event's detail, because whole bundles are too long to read. */
function brief(/** @type {string} */ key, /** @type {any} */ value) {
  if (key === "bundle") return `bundle ${value.id}`;
  if (key === "error") return `${value.name} ${value.code ?? ""} ${value.message}`;
  return key === "items" && Array.isArray(value) ? `${value.length} items` : value;
}

/** @returns {string} a UUID of version 4; pages that were not loaded over https have no `randomUUID` */
function randomUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
