import { Injectable } from "@nestjs/common";
import {
  type Channel,
  ChannelService,
  idsAreEqual,
  Order,
  type RequestContext,
  TransactionalConnection,
} from "@vendure/core";

/** Finds the channels in which orders are placed. */
@Injectable()
export class SalesChannels {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly channelService: ChannelService,
  ) {}

  /** The token of an order's channel: that of the request, except for administrators who view the order in the default channel. */
  async tokenFor(ctx: RequestContext, order: Order): Promise<string> {
    if (ctx.apiType === "shop") return ctx.channel.token;
    const home = await this.channelService.getDefaultChannel(ctx);
    if (!idsAreEqual(ctx.channelId, home.id)) return ctx.channel.token;
    const channels = order.channels ?? (await this.channelsOf(ctx, order));
    return (channels.find(({ id }) => !idsAreEqual(id, home.id)) ?? home).token;
  }

  private async channelsOf(ctx: RequestContext, order: Order): Promise<Channel[]> {
    const found = await this.connection
      .getRepository(ctx, Order)
      .findOne({ where: { id: order.id }, relations: { channels: true }, loadEagerRelations: false });
    return found?.channels ?? [];
  }
}
