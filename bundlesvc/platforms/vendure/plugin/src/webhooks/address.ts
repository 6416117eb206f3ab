import { createHash } from "node:crypto";

/** Where webhooks go, and what signs them. */
export interface WebhookOptions {
  /** The address of the service, such as https://bundles.example.com. */
  readonly url: string;
  /** The secret that `bundlesvc platform connect` printed. */
  readonly secret: string;
}

/** The options, checked. */
export interface WebhookAddress {
  readonly url: string;
  readonly key: Buffer;
  /** A name of the secret, which does not reveal it. */
  readonly secretName: string;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
const NAME_DIGITS = 8;

/** Throws an error that names the option at fault. It does not repeat a secret. */
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
