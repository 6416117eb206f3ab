import { createHmac } from "node:crypto";
import type { WebhookAddress } from "./address";

const SECOND = 1000;
const TIMEOUT = 10 * SECOND;
const MOST_WORDS = 200;

/** Send a webhook, signed as described at https://www.standardwebhooks.com. Throws an error that says why it was not delivered. */
export async function send(to: WebhookAddress, id: string, body: string): Promise<void> {
  const time = String(Math.floor(Date.now() / SECOND));
  const signature = createHmac("sha256", to.key).update(`${id}.${time}.${body}`).digest("base64");
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
  const response = await fetch(to.url, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch((error: Error) => {
    throw new Error(error.cause instanceof Error ? error.cause.message : error.message);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, MOST_WORDS)}`);
}
