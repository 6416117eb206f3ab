import { Injectable, type OnApplicationBootstrap } from "@nestjs/common";
import {
  ChannelEvent,
  ChannelService,
  EventBus,
  type ID,
  idsAreEqual,
  isGraphQlErrorResult,
  Logger,
  ProcessContext,
  Promotion,
  PromotionEvent,
  PromotionService,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
} from "@vendure/core";
import type { SelectQueryBuilder } from "typeorm";
import { LOGGER } from "../logger";
import { ACTION, isIntact, NAME, RECIPE } from "./recipe";

/** Whether the promotion is enabled in a channel. */
export interface ChannelState {
  readonly channel: string;
  readonly enabled: boolean;
}

/**
 * Creates the promotion that applies the discounts of bundles, in every channel, and repairs it. It never enables a promotion that an
 * administrator has disabled. Of several promotions with the plugin's action, only the oldest applies, so that no discount is taken off
 * twice.
 */
@Injectable()
export class PromotionKeeper implements OnApplicationBootstrap {
  private oldest: ID | null = null;
  private repaired: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: TransactionalConnection,
    private readonly promotions: PromotionService,
    private readonly channelService: ChannelService,
    private readonly contexts: RequestContextService,
    private readonly events: EventBus,
    private readonly processContext: ProcessContext,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.processContext.isServer) return;
    this.events.ofType(PromotionEvent).subscribe(() => (this.oldest = null));
    this.events.ofType(ChannelEvent).subscribe(({ type }) => {
      if (type === "created") void this.repair();
    });
    await this.repair();
  }

  async isOurs(ctx: RequestContext, promotion: Promotion): Promise<boolean> {
    this.oldest ??= (await this.find(ctx))[0]?.id ?? null;
    return this.oldest !== null && idsAreEqual(this.oldest, promotion.id);
  }

  /** The sources of adjustments made by promotions with the plugin's action, including deleted promotions. */
  async sources(ctx: RequestContext): Promise<ReadonlySet<string>> {
    const found = await this.withAction(ctx).getMany();
    return new Set(found.map((promotion) => promotion.getSourceId()));
  }

  /** Whether the promotion is enabled, for each channel that it is assigned to. */
  async states(ctx: RequestContext): Promise<ChannelState[]> {
    const [promotion] = await this.find(ctx);
    return (promotion?.channels ?? []).map(({ code }) => ({ channel: code, enabled: promotion?.enabled ?? false }));
  }

  /**
   * Repairs the promotion; repairs wait for each other. A failed repair is logged, and the engine starts anyway: bundles are then charged in
   * full.
   */
  private repair(): Promise<void> {
    this.repaired = this.repaired
      .then(() => this.repairNow())
      .catch((error: unknown) => Logger.error(`The promotion of bundles cannot be made: ${String(error)}`, LOGGER));
    return this.repaired;
  }

  private async repairNow(): Promise<void> {
    const ctx = await this.contexts.create({ apiType: "admin" });
    const [found, ...others] = await this.find(ctx);
    const promotion = found ?? (await this.make(ctx));
    const repository = this.connection.getRepository(ctx, Promotion);
    if (!isIntact(promotion)) await repository.update(promotion.id, structuredClone(RECIPE) as object);
    for (const { id } of others) await repository.update(id, { deletedAt: new Date() });
    await this.assignEverywhere(ctx, promotion);
    this.oldest = promotion.id;
  }

  /** The promotions with the plugin's action, oldest first, with their channels. */
  private find(ctx: RequestContext): Promise<Promotion[]> {
    return this.withAction(ctx)
      .leftJoinAndSelect("promotion.channels", "channel")
      .andWhere("promotion.deletedAt IS NULL")
      .orderBy("promotion.id")
      .addOrderBy("channel.id")
      .getMany();
  }

  private withAction(ctx: RequestContext): SelectQueryBuilder<Promotion> {
    return this.connection
      .getRepository(ctx, Promotion)
      .createQueryBuilder("promotion")
      .where("promotion.actions LIKE :action", { action: `%"${ACTION}"%` });
  }

  private async make(ctx: RequestContext): Promise<Promotion> {
    const { conditions, actions } = RECIPE;
    const made = await this.promotions.createPromotion(ctx, {
      enabled: true,
      conditions: conditions.map(({ code }) => ({ code, arguments: [] })),
      actions: actions.map(({ code }) => ({ code, arguments: [] })),
      translations: [{ languageCode: ctx.channel.defaultLanguageCode, name: NAME, description: "" }],
    });
    if (isGraphQlErrorResult(made)) throw new Error(made.message);
    return { ...made, channels: [ctx.channel] } as Promotion;
  }

  private async assignEverywhere(ctx: RequestContext, promotion: Promotion): Promise<void> {
    const { items } = await this.channelService.findAll(ctx);
    const missing = items.filter(({ id }) => !promotion.channels.some((channel) => idsAreEqual(channel.id, id)));
    if (missing.length === 0) return;
    await this.channelService.assignToChannels(
      ctx,
      Promotion,
      promotion.id,
      missing.map(({ id }) => id),
    );
  }
}
