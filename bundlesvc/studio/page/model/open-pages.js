/** Reports to the service which bundle this page has open, and receives who else has a bundle open. */

import { newKey, send } from "./api.js";

const EVERY_MS = 10_000;
const PATH = "/open-page";

/** @typedef {{ label: string, bundleId: number | null }} OpenPage */

/** Sends `changed` when other pages are opened, closed, or show another bundle. */
export class OpenPages extends EventTarget {
  /** @type {readonly OpenPage[]} */
  others = [];
  #page = newKey().slice(0, 32);
  #timer = 0;
  /** @type {number | null} */
  #bundleId = null;

  constructor() {
    super();
    window.addEventListener("pagehide", this.#leave);
    document.addEventListener("visibilitychange", this.#tell);
  }

  /** Reports that this page shows a bundle; null for none. @param {number | null} bundleId */
  show(bundleId) {
    this.#bundleId = bundleId;
    this.#tell();
  }

  end() {
    clearTimeout(this.#timer);
    window.removeEventListener("pagehide", this.#leave);
    document.removeEventListener("visibilitychange", this.#tell);
    this.#leave();
  }

  #tell = async () => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#tell, EVERY_MS);
    if (document.visibilityState !== "visible") return;
    const body = { page: this.#page, bundleId: this.#bundleId };
    const others = await send(PATH, { method: "PUT", body }).then(
      (answer) => answer.body,
      () => null, // the next one may get through
    );
    if (!others || JSON.stringify(others) === JSON.stringify(this.others)) return;
    this.others = others;
    this.dispatchEvent(new Event("changed"));
  };

  #leave = () => {
    send(PATH, { method: "DELETE", body: { page: this.#page }, keepalive: true }).catch(() => {});
  };
}
