import { Inject, Injectable } from "@nestjs/common";
import { ConfigService, Logger, type Order, type RequestContext } from "@vendure/core";
import { LOGGER } from "../logger";
import { SETTINGS, type Settings } from "../options";
import { type Outcome, Promises } from "../promise/promise";
import type { Reason } from "../promise/reasons";
import { fieldsOf } from "./line-fields";
import { cartOf, placedUnits } from "./order-cart";
import { SalesChannels } from "./sales-channels";

const DEFAULT_DECIMALS = 2;
const MOST_LOGGED = 1000;

/** Checks the bundles of orders against their promises. */
@Injectable()
export class OrderPromises {
  private readonly promises: Promises;
  private readonly logged = new Set<string>();
  /** Caches outcomes, because the engine tests a promotion again for each line of an unchanged order. */
  private readonly judged = new WeakMap<Order, { readonly state: string; readonly outcomes: readonly Outcome[] }>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly configService: ConfigService,
    private readonly channels: SalesChannels,
  ) {
    this.promises = new Promises(settings.keys, settings, settings.countries);
  }

  /** The outcome for each bundle of an order, whether or not the promotion is enabled. */
  async judge(ctx: RequestContext, order: Order): Promise<readonly Outcome[]> {
    if (!order.lines.some((line) => fieldsOf(line).bundleData != null)) return [];
    const state = stateOf(order);
    const judged = this.judged.get(order);
    if (judged?.state === state) return judged.outcomes;
    const outcomes = await this.judgeNow(ctx, order);
    this.judged.set(order, { state, outcomes });
    return outcomes;
  }

  /** The number of decimal places of every amount in the engine, whatever the currency. */
  get decimals(): number {
    return this.configService.entityOptions.moneyStrategy.precision ?? DEFAULT_DECIMALS;
  }

  /** The price of a number of units, rounded as the engine rounds it. */
  readonly round = (unitPrice: number, units: number): number =>
    this.configService.entityOptions.moneyStrategy.round(unitPrice, units);

  /** Logs why bundles are charged at full price: one line per bundle, only once. */
  log(order: Order, outcomes: readonly Outcome[]): void {
    for (const { configured, reason } of outcomes) if (reason) this.logOnce(order, configured, reason);
  }

  private async judgeNow(ctx: RequestContext, order: Order): Promise<readonly Outcome[]> {
    const cart = cartOf(order, await this.channels.tokenFor(ctx, order), this.decimals);
    const outcomes = this.promises.judge(cart);
    return this.settings.combineWithCoupons || !order.couponCodes?.length ? outcomes : outcomes.map(withCoupon);
  }

  private logOnce(order: Order, configured: number | null, reason: Reason): void {
    const line = `Order ${order.code}: ${configured === null ? "a line" : `bundle ${configured}`} is charged at full price: ${reason}`;
    if (this.logged.has(line)) return;
    if (this.logged.size >= MOST_LOGGED) this.logged.clear();
    this.logged.add(line);
    Logger.info(line, LOGGER);
  }
}

/** The state that an order's outcomes depend on, as far as it can change during a request. */
function stateOf({ lines, currencyCode, couponCodes, orderPlacedAt }: Order): string {
  const priced = lines.map((line) => `${line.id}:${placedUnits(line)}:${line.listPrice}`);
  return JSON.stringify([priced, currencyCode, couponCodes, orderPlacedAt]);
}

function withCoupon(outcome: Outcome): Outcome {
  return outcome.reason ? outcome : { ...outcome, off: new Map(), reason: "coupon", market: null };
}
