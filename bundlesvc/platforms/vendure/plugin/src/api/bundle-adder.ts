import { Injectable } from "@nestjs/common";
import {
  EntityNotFoundError,
  type ID,
  Order,
  OrderService,
  type RequestContext,
  TransactionalConnection,
} from "@vendure/core";
import { fieldsOf } from "../orders/line-fields";
import { BundleNotAddedError } from "./bundle-not-added";
import { type NewLine } from "./configured-cart";

type Refusal = Awaited<ReturnType<OrderService["addItemsToOrder"]>>["errorResults"][number];
export type Added = Order | Refusal | BundleNotAddedError;

const LOCKING = ["postgres", "mysql", "mariadb", "aurora-postgres", "aurora-mysql", "cockroachdb"];

/** Rolls back the transaction of a bundle when not all of its lines can be added. */
class NotAdded extends Error {
  constructor(readonly refusal: Refusal) {
    super();
  }
}

/** Adds configured bundles to orders: either all lines or none, and each bundle only once. */
@Injectable()
export class BundleAdder {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly orders: OrderService,
  ) {}

  async add(ctx: RequestContext, orderId: ID, lines: readonly NewLine[]): Promise<Added> {
    try {
      return await this.connection.withTransaction(ctx, (inside) => this.addOnce(inside, orderId, lines));
    } catch (error) {
      if (error instanceof NotAdded) return this.withOrder(ctx, orderId, error.refusal);
      if (error instanceof EntityNotFoundError) return new BundleNotAddedError("BUNDLE_NOT_FOR_SALE");
      throw error;
    }
  }

  private async addOnce(ctx: RequestContext, orderId: ID, lines: readonly NewLine[]): Promise<Order> {
    await this.lock(ctx, orderId);
    const before = await this.orders.findOne(ctx, orderId);
    const mark = lines[0]?.customFields.bundleData;
    if (before?.lines.some((line) => fieldsOf(line).bundleData === mark)) return before;
    const { order, errorResults } = await this.orders.addItemsToOrder(
      ctx,
      orderId,
      lines.map((line) => ({ ...line, customFields: { ...line.customFields } })),
    );
    if (errorResults[0]) throw new NotAdded(errorResults[0]);
    return order;
  }

  /** Makes requests that add to the same order wait for each other, if the database supports it. */
  private async lock(ctx: RequestContext, orderId: ID): Promise<void> {
    if (!LOCKING.includes(this.connection.rawConnection.options.type)) return;
    await this.connection
      .getRepository(ctx, Order)
      .createQueryBuilder("order")
      .select("order.id")
      .where("order.id = :orderId", { orderId })
      .setLock("pessimistic_write")
      .getOne();
  }

  /** A refusal with the current order, without the lines that were rolled back. */
  private async withOrder(ctx: RequestContext, orderId: ID, refusal: Refusal): Promise<Added> {
    return "order" in refusal ? Object.assign(refusal, { order: await this.orders.findOne(ctx, orderId) }) : refusal;
  }
}
