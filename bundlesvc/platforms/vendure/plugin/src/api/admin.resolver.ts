import { Inject } from "@nestjs/common";
import { Args, Query, Resolver } from "@nestjs/graphql";
import { Allow, Ctx, type ID, Permission, type RequestContext } from "@vendure/core";
import { SETTINGS, type Settings } from "../options";
import { BundleOrders } from "../proof/bundle-orders";
import { readBundleOrders } from "../proof/permission";
import type { ProvenOrder } from "../proof/proven-order";
import { type ChannelState, PromotionKeeper } from "../promotion/promotion-keeper";
import { VERSION } from "../version";
import { type QueueState, WebhookQueue } from "../webhooks/webhook-queue";
import { type LineQuantity, type Refund, Refunds } from "./refunds";

interface PluginState {
  readonly version: string;
  readonly keys: readonly string[];
  readonly promotion: readonly ChannelState[];
  readonly webhooks: WebhookState | null;
}

interface WebhookState {
  readonly url: string;
  readonly secret: string;
  readonly queue: QueueState | null;
}

const MOST_IDS = 1000;

@Resolver()
export class AdminResolver {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly keeper: PromotionKeeper,
    private readonly refunds: Refunds,
    private readonly orders: BundleOrders,
    private readonly queue: WebhookQueue,
  ) {}

  @Query()
  @Allow(Permission.ReadCatalog, Permission.ReadPromotion)
  async bundlesvc(@Ctx() ctx: RequestContext): Promise<PluginState> {
    const { keys, webhooks } = this.settings;
    return {
      version: VERSION,
      keys: keys.names,
      promotion: await this.keeper.states(ctx),
      webhooks: webhooks && { url: webhooks.url, secret: webhooks.secretName, queue: await this.queue.state() },
    };
  }

  @Query()
  @Allow(Permission.ReadOrder)
  bundleRefund(@Ctx() ctx: RequestContext, @Args() args: { orderId: ID; lines: LineQuantity[] }): Promise<Refund> {
    return this.refunds.of(ctx, args.orderId, args.lines);
  }

  @Query()
  @Allow(readBundleOrders.Permission)
  bundleOrder(@Ctx() ctx: RequestContext, @Args() { id }: { id: ID }): Promise<ProvenOrder | null> {
    return this.orders.read(ctx, id);
  }

  @Query()
  @Allow(readBundleOrders.Permission)
  bundleOrders(
    @Ctx() ctx: RequestContext,
    @Args() { since, after, take }: { since: Date; after?: ID | null; take: number },
  ): Promise<ID[]> {
    return this.orders.ids(ctx, since, after ?? null, Math.min(Math.max(take, 1), MOST_IDS));
  }
}
