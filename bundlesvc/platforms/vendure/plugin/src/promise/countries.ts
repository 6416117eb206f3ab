import type { MarketPromise } from "./claims";

/** The countries that a shop sells to in each channel, as far as the plugin was configured with them. */
export class Countries {
  /** `channels`: tokens of channels by country code. */
  constructor(private readonly channels: Readonly<Record<string, string>>) {}

  /**
   * Whether a promise may hold in a channel. A country without a channel of its own is sold to in the channels that no country names, where
   * currency and prices alone decide.
   */
  isMarket(market: MarketPromise, channel: string): boolean {
    const here = Object.keys(this.channels).filter((country) => this.channels[country] === channel);
    if (market.country === null) return !here.some((country) => market.excluded.has(country));
    return here.length > 0 ? here.includes(market.country) : !Object.hasOwn(this.channels, market.country);
  }
}
