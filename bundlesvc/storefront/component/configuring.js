/** The purchase of a selection. */

import { requestBody } from "../client/client.js";
import { newKey } from "../client/service.js";

/** @import { Client } from "../client/client.js" */
/** @import { Chosen } from "./types.js" */

/**
 * Configures selections. A retry of the same request uses the same idempotency key, so it does not configure a second
 * bundle.
 */
export class Configuring {
  /** @type {{ readonly text?: string, readonly key?: string }} */
  #attempt = {};

  /**
   * @param {Pick<Client, "embed">} client
   * @param {Chosen} chosen
   * @param {AbortSignal} [signal]
   */
  async configure(client, { bundle, selection, evaluation, price, country, visitorId }, signal) {
    const body = {
      ...requestBody(bundle, selection, { country }, evaluation),
      ...price,
      ...(visitorId && { visitorId }),
    };
    const text = JSON.stringify([bundle.id, body]);
    if (this.#attempt.text !== text) this.#attempt = { text, key: newKey() };
    const result = await client.embed.configure(bundle.id, body, { idempotencyKey: this.#attempt.key, signal });
    this.#attempt = {};
    return result;
  }
}
