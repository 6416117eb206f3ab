import type { MarketPromise } from "./claims";

/** The countries that a shop sells to in each channel, as far as they are configured in the plugin. */
export class Countries {
  /** `channels`: the token of the channel for each country code. */
  constructor(private readonly channels: Readonly<Record<string, string>>) {}

  /**
   * Whether a promise may be valid in a channel. Countries without their own channel are served by the channels that are configured for no
   * country; there, only currency and prices are compared.
   */
  isMarket(market: MarketPromise, channel: string): boolean {
    const here = Object.keys(this.channels).filter((country) => this.channels[country] === channel);
    if (market.country === null) return !here.some((country) => market.excluded.has(country));
    return here.length > 0 ? here.includes(market.country) : !Object.hasOwn(this.channels, market.country);
  }
}
