import { Countries } from "./promise/countries";
import { DiscountKeys } from "./promise/discount-keys";
import { checkedAddress, type WebhookAddress, type WebhookOptions } from "./webhooks/address";

/** Options of the plugin. */
export interface BundlesPluginOptions {
  /** The handle of the shop in bundlesvc. */
  readonly shop: string;
  /** The keys printed by `bundlesvc discount key`, in any order. Treat them as secrets. */
  readonly keys: readonly string[];
  /** The token of the channel for each country code. A promise for one of these countries is valid only in the channel of that country. */
  readonly countries?: Readonly<Record<string, string>>;
  /** Whether a bundle keeps its discount in an order with a coupon code. Default: true. */
  readonly combineWithCoupons?: boolean;
  /** The age in days at which a discount string expires. Default: 30. */
  readonly maxAgeDays?: number;
  /** Where to report changes and orders. Without it, changes show late, and orders are not proven. */
  readonly webhooks?: WebhookOptions;
}

/** The checked options. */
export interface Settings {
  readonly shop: string;
  readonly keys: DiscountKeys;
  readonly countries: Countries;
  readonly combineWithCoupons: boolean;
  readonly maxAgeDays: number;
  readonly webhooks: WebhookAddress | null;
}

const MAX_AGE_DAYS = 30;

/** Throws an error that names the option at fault, so that a server with wrong options does not start. */
export function checkedSettings(options: BundlesPluginOptions): Settings {
  const { shop, keys, countries = {}, combineWithCoupons = true, maxAgeDays = MAX_AGE_DAYS, webhooks } = options;
  if (!shop) throw new Error("BundlesPlugin: `shop` is empty. Set it to the handle of the shop in bundlesvc.");
  if (keys.length === 0)
    throw new Error("BundlesPlugin: `keys` is empty. Set it to what `bundlesvc discount key` prints.");
  if (!Number.isInteger(maxAgeDays) || maxAgeDays < 1)
    throw new Error("BundlesPlugin: `maxAgeDays` is not a number of days.");
  const unknown = Object.keys(countries).filter((country) => !/^[A-Z]{2}$/.test(country));
  if (unknown.length > 0)
    throw new Error(`BundlesPlugin: \`countries\` has ${unknown.join(", ")}. Use codes such as DE.`);
  return {
    shop,
    keys: new DiscountKeys(keys),
    countries: new Countries(countries),
    combineWithCoupons,
    maxAgeDays,
    webhooks: webhooks ? checkedAddress(webhooks, shop) : null,
  };
}

/** The injection token of the settings. */
export const SETTINGS = Symbol("bundlesvc settings");
