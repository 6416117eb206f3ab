import { Injectable } from "@nestjs/common";
import { type ID, Order, Refund, RequestContext, TransactionalConnection } from "@vendure/core";
import { IsNull, MoreThanOrEqual, Not } from "typeorm";

const MINUTE = 60_000;
const MOST = 1000;

/** Finds the orders that were changed within the minute before the last change of any order. */
@Injectable()
export class RecentOrders {
  constructor(private readonly connection: TransactionalConnection) {}

  async find(): Promise<ID[]> {
    const ctx = RequestContext.empty();
    const orders = this.connection.getRepository(ctx, Order);
    const refunds = this.connection.getRepository(ctx, Refund);
    const placed = { orderPlacedAt: Not(IsNull()) };
    const [newest] = await orders.find({ where: placed, order: { updatedAt: "DESC" }, take: 1, ...PLAIN });
    const [lastRefund] = await refunds.find({ order: { updatedAt: "DESC" }, take: 1, ...PLAIN });
    const changed = newest
      ? await orders.find({ where: { ...placed, updatedAt: since(newest.updatedAt) }, take: MOST, ...PLAIN })
      : [];
    const refunded = lastRefund
      ? await refunds.find({
          where: { updatedAt: since(lastRefund.updatedAt) },
          relations: { payment: { order: true } },
          take: MOST,
          ...PLAIN,
        })
      : [];
    return [...changed.map(({ id }) => id), ...refunded.map(({ payment }) => payment.order.id)];
  }
}

const PLAIN = { loadEagerRelations: false } as const;

function since(newest: Date): ReturnType<typeof MoreThanOrEqual<Date>> {
  return MoreThanOrEqual(new Date(newest.getTime() - MINUTE));
}
