import { Injectable } from "@nestjs/common";
import { type ID, Order, OrderLine, type RequestContext, TransactionalConnection } from "@vendure/core";
import { In } from "typeorm";
import { fieldsOf } from "../orders/line-fields";
import { OrderPromises } from "../orders/order-promises";
import { parseMark } from "../promise/bundles";
import type { Outcome } from "../promise/promise";
import { type Reason, REASONS } from "../promise/reasons";
import { PromotionKeeper } from "../promotion/promotion-keeper";

/** The data about the bundle of an order line that the APIs return. */
export interface LineBundle {
  readonly configured: string | null;
  readonly bundle: number | null;
  readonly title: string;
  readonly mark: string;
  readonly isFee: boolean;
  readonly answers: unknown;
  readonly isIntact: boolean;
  readonly reason: Reason | null;
  readonly message: string | null;
}

type Bundles = ReadonlyMap<string, LineBundle>;

/** Finds the bundles of order lines. Lines that are requested at the same time are read together. */
@Injectable()
export class LineBundles {
  private readonly waiting = new WeakMap<
    RequestContext,
    { readonly ids: Set<ID>; readonly bundles: Promise<Bundles> }
  >();

  constructor(
    private readonly connection: TransactionalConnection,
    private readonly promises: OrderPromises,
    private readonly keeper: PromotionKeeper,
  ) {}

  async of(ctx: RequestContext, line: OrderLine): Promise<LineBundle | null> {
    if (line.customFields && fieldsOf(line).bundleData == null) return null;
    return (await this.read(ctx, line.id)).get(String(line.id)) ?? null;
  }

  private read(ctx: RequestContext, id: ID): Promise<Bundles> {
    const ids = this.waiting.get(ctx)?.ids ?? new Set<ID>();
    ids.add(id);
    const bundles = this.waiting.get(ctx)?.bundles ?? this.soon(ctx, ids);
    this.waiting.set(ctx, { ids, bundles });
    return bundles;
  }

  private async soon(ctx: RequestContext, ids: Set<ID>): Promise<Bundles> {
    await new Promise((resolve) => setImmediate(resolve));
    this.waiting.delete(ctx);
    const orders = await this.ordersOf(ctx, [...ids]);
    const shown = await Promise.all(orders.map((order) => this.inOrder(ctx, order)));
    return new Map(shown.flat());
  }

  private async ordersOf(ctx: RequestContext, ids: readonly ID[]): Promise<Order[]> {
    const lines = await this.connection
      .getRepository(ctx, OrderLine)
      .find({ where: { id: In([...ids]) }, relations: { order: true }, loadEagerRelations: false });
    const orders = [...new Set(lines.map((line) => line.order.id))];
    return this.connection
      .getRepository(ctx, Order)
      .find({ where: { id: In(orders) }, relations: { lines: true, channels: true, promotions: true } });
  }

  private async inOrder(ctx: RequestContext, order: Order): Promise<Array<[string, LineBundle]>> {
    const isApplied = await this.isApplied(ctx, order);
    const outcomes = await this.promises.judge(ctx, order);
    const byLine = new Map(outcomes.flatMap((one) => [...one.lines, ...one.fees].map(({ id }) => [id, one] as const)));
    return order.lines
      .filter((line) => fieldsOf(line).bundleData != null)
      .map((line) => [String(line.id), shown(line, reasonOf(byLine.get(String(line.id)), isApplied))]);
  }

  /** Whether the promotion was applied when the order was priced. */
  private async isApplied(ctx: RequestContext, order: Order): Promise<boolean> {
    const ours = await Promise.all(order.promotions.map((promotion) => this.keeper.isOurs(ctx, promotion)));
    return ours.includes(true);
  }
}

/** The reason for an outcome. A fee whose bundle is no longer in the order has no outcome. */
function reasonOf(outcome: Outcome | undefined, isApplied: boolean): Reason | null {
  if (!outcome) return "lines_missing";
  return outcome.reason ?? (isApplied ? null : "promotion_disabled");
}

function shown(line: OrderLine, reason: Reason | null): LineBundle {
  const { bundleData, bundleFee, bundleId, bundleTitle, bundleAnswers } = fieldsOf(line);
  const configured = parseMark(bundleData ?? "")?.configured;
  return {
    configured: configured === undefined ? null : String(configured),
    bundle: bundleId ?? null,
    title: bundleTitle ?? "",
    mark: bundleData ?? "",
    isFee: bundleFee != null,
    answers: bundleAnswers == null ? null : JSON.parse(bundleAnswers),
    isIntact: reason === null,
    reason,
    message: reason && REASONS[reason],
  };
}
