import { Injectable } from "@nestjs/common";
import {
  type ID,
  Order,
  OrderLine,
  Payment,
  type Refund,
  type RequestContext,
  TransactionalConnection,
} from "@vendure/core";
import { In } from "typeorm";
import { OrderPromises } from "../orders/order-promises";
import { PromotionKeeper } from "../promotion/promotion-keeper";
import { type ProvenOrder, provenOrder } from "./proven-order";

const FAILED = "Failed";
/** Only lines of bundles have this custom field. */
const IN_A_BUNDLE = "line.customFields.bundleData IS NOT NULL";

/** Reads placed orders with bundles. */
@Injectable()
export class BundleOrders {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly promises: OrderPromises,
    private readonly keeper: PromotionKeeper,
  ) {}

  /** The current state of an order; null when it has not been placed, contains no bundle, or is not in the channel of the request. */
  async read(ctx: RequestContext, id: ID): Promise<ProvenOrder | null> {
    const now = Date.now();
    const order = await this.connection.findOneInChannel(ctx, Order, id, ctx.channelId, {
      relations: ["lines", "channels"],
    });
    if (!order?.orderPlacedAt || (await this.withBundles(ctx, [id])).length === 0) return null;
    const outcomes = await this.promises.judge(ctx, order);
    return provenOrder(order, {
      version: now,
      outcomes,
      refunds: await this.refundsOf(ctx, order),
      ownSources: await this.keeper.sources(ctx),
      decimals: this.promises.decimals,
      round: this.promises.round,
    });
  }

  /** Ids of placed orders with bundles, in the order of placement, after a given id. */
  async ids(ctx: RequestContext, since: Date, after: ID | null, take: number): Promise<ID[]> {
    const query = this.connection
      .getRepository(ctx, Order)
      .createQueryBuilder("order")
      .select("order.id")
      .innerJoin("order.channels", "channel", "channel.id = :channel", { channel: ctx.channelId })
      .innerJoin("order.lines", "line", IN_A_BUNDLE)
      .where("order.orderPlacedAt >= :since", { since })
      .groupBy("order.id")
      .orderBy("order.id")
      .limit(take);
    if (after !== null) query.andWhere("order.id > :after", { after });
    return (await query.getMany()).map(({ id }) => id);
  }

  /** The ids of those of the given orders that contain a bundle. */
  async withBundles(ctx: RequestContext, ids: readonly ID[]): Promise<ID[]> {
    if (ids.length === 0) return [];
    const found = await this.connection
      .getRepository(ctx, OrderLine)
      .createQueryBuilder("line")
      .select("line.orderId", "id")
      .where("line.orderId IN (:...ids)", { ids: [...ids] })
      .andWhere(IN_A_BUNDLE)
      .groupBy("line.orderId")
      .orderBy("line.orderId")
      .getRawMany<{ id: ID }>();
    return found.map(({ id }) => id);
  }

  private async refundsOf(ctx: RequestContext, order: Order): Promise<Refund[]> {
    const payments = await this.connection
      .getRepository(ctx, Payment)
      .find({ where: { order: { id: In([order.id]) } }, relations: { refunds: { lines: true } } });
    return payments
      .flatMap(({ refunds }) => refunds)
      .filter(({ state }) => state !== FAILED)
      .sort((one, other) => Number(one.id) - Number(other.id));
  }
}
