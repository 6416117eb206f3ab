import { createHash } from "node:crypto";

/** The destination of webhooks, and the secret that signs them. */
export interface WebhookOptions {
  /** The address of the service, such as https://bundles.example.com. */
  readonly url: string;
  /** The secret printed by `bundlesvc platform connect`. */
  readonly secret: string;
}

/** The checked options. */
export interface WebhookAddress {
  readonly url: string;
  readonly key: Buffer;
  /** A name for the secret that does not reveal it. */
  readonly secretName: string;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
const NAME_DIGITS = 8;

/** Throws an error that names the invalid option. The error never contains a secret. */
export function checkedAddress(options: WebhookOptions, shop: string): WebhookAddress {
  const { url, secret } = options;
  if (!URL.canParse(url) || !["http:", "https:"].includes(new URL(url).protocol))
    throw new Error("BundlesPlugin: `webhooks.url` is not an address such as https://bundles.example.com.");
  if (!SECRET.test(secret))
    throw new Error("BundlesPlugin: `webhooks.secret` is not what `bundlesvc platform connect` printed.");
  return {
    url: `${url.replace(/\/+$/, "")}/webhooks/platform/${shop}`,
    key: Buffer.from(secret.slice("whsec_".length), "base64"),
    secretName: createHash("sha256").update(secret).digest("hex").slice(0, NAME_DIGITS),
  };
}
