import { Inject } from "@nestjs/common";
import { Args, Query, Resolver } from "@nestjs/graphql";
import { Allow, Ctx, type ID, Permission, type RequestContext } from "@vendure/core";
import { SETTINGS, type Settings } from "../options";
import { type ChannelState, PromotionKeeper } from "../promotion/promotion-keeper";
import { VERSION } from "../version";
import { type LineQuantity, type Refund, Refunds } from "./refunds";

interface PluginState {
  readonly version: string;
  readonly keys: readonly string[];
  readonly promotion: readonly ChannelState[];
}

@Resolver()
export class AdminResolver {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly keeper: PromotionKeeper,
    private readonly refunds: Refunds,
  ) {}

  @Query()
  @Allow(Permission.ReadCatalog, Permission.ReadPromotion)
  async bundlesvc(@Ctx() ctx: RequestContext): Promise<PluginState> {
    return { version: VERSION, keys: this.settings.keys.names, promotion: await this.keeper.states(ctx) };
  }

  @Query()
  @Allow(Permission.ReadOrder)
  bundleRefund(@Ctx() ctx: RequestContext, @Args() args: { orderId: ID; lines: LineQuantity[] }): Promise<Refund> {
    return this.refunds.of(ctx, args.orderId, args.lines);
  }
}
