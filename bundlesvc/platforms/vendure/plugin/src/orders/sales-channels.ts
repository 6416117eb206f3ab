import { Injectable } from "@nestjs/common";
import { ChannelService, Order, type RequestContext, TransactionalConnection } from "@vendure/core";

/** The channels that orders are placed in. */
@Injectable()
export class SalesChannels {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly channelService: ChannelService,
  ) {}

  /** The code of an order's channel: that of the request, but for administrators who see the order in the default channel. */
  async codeFor(ctx: RequestContext, order: Order): Promise<string> {
    if (ctx.apiType === "shop") return ctx.channel.code;
    const home = (await this.channelService.getDefaultChannel(ctx)).code;
    if (ctx.channel.code !== home) return ctx.channel.code;
    const channels = order.channels ?? (await this.channelsOf(ctx, order));
    return channels.find((channel) => channel.code !== home)?.code ?? home;
  }

  private async channelsOf(ctx: RequestContext, order: Order): Promise<Order["channels"]> {
    const found = await this.connection
      .getRepository(ctx, Order)
      .findOne({ where: { id: order.id }, relations: { channels: true }, loadEagerRelations: false });
    return found?.channels ?? [];
  }
}
