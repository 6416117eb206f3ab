import { Injectable } from "@nestjs/common";
import {
  ConfigService,
  type ID,
  idsAreEqual,
  Order,
  type OrderLine,
  RefundLine,
  type RequestContext,
  TransactionalConnection,
  UserInputError,
} from "@vendure/core";
import { In } from "typeorm";
import { placedUnits } from "../orders/order-cart";

export interface LineQuantity {
  readonly orderLineId: ID;
  readonly quantity: number;
}

export interface RefundOfLine extends LineQuantity {
  readonly amount: number;
}

export interface Refund {
  readonly amount: number;
  readonly lines: readonly RefundOfLine[];
}

const FAILED = "Failed";
const PERCENT = 100;

/** Computes refunds: what was paid for the units, even if they have been cancelled since. */
@Injectable()
export class Refunds {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly configService: ConfigService,
  ) {}

  async of(ctx: RequestContext, orderId: ID, wanted: readonly LineQuantity[]): Promise<Refund> {
    const order = await this.connection.getEntityOrThrow(ctx, Order, orderId, {
      channelId: ctx.channelId,
      relations: ["lines"],
    });
    const refunded = await this.refundedUnits(ctx, order);
    const lines = wanted.map(({ orderLineId, quantity }) => {
      const line = order.lines.find(({ id }) => idsAreEqual(id, orderLineId));
      const before = refunded.get(String(orderLineId)) ?? 0;
      if (!line) throw new UserInputError(`The order has no line ${orderLineId}.`);
      if (quantity < 1) throw new UserInputError(`The quantity of line ${orderLineId} is below 1.`);
      const left = placedUnits(line) - before;
      if (quantity > left) throw new UserInputError(`Line ${orderLineId} has only ${left} unrefunded units.`);
      refunded.set(String(orderLineId), before + quantity);
      const amount = this.paidFor(line, before + quantity) - this.paidFor(line, before);
      return { orderLineId, quantity, amount };
    });
    return { amount: lines.reduce((total, line) => total + line.amount, 0), lines };
  }

  /** The price paid for the first units of a line, with tax. For all units, it is what the engine charged. */
  private paidFor(line: OrderLine, units: number): number {
    const off = line.adjustments.reduce((total, adjustment) => total + adjustment.amount, 0);
    const unit = line.listPrice + off / placedUnits(line);
    const gross = line.listPriceIncludesTax ? unit : unit * (1 + line.taxRate / PERCENT);
    return this.configService.entityOptions.moneyStrategy.round(gross, units);
  }

  private async refundedUnits(ctx: RequestContext, order: Order): Promise<Map<string, number>> {
    const lines = await this.connection
      .getRepository(ctx, RefundLine)
      .find({ where: { orderLineId: In(order.lines.map(({ id }) => id)) }, relations: { refund: true } });
    const units = new Map<string, number>();
    for (const { orderLineId, quantity, refund } of lines) {
      if (refund.state !== FAILED) units.set(String(orderLineId), (units.get(String(orderLineId)) ?? 0) + quantity);
    }
    return units;
  }
}
