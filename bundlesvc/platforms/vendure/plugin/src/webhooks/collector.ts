import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from "@nestjs/common";
import {
  ChannelEvent,
  EventBus,
  GlobalSettingsEvent,
  Logger,
  type Order,
  OrderLineEvent,
  OrderPlacedEvent,
  OrderStateTransitionEvent,
  ProcessContext,
  ProductChannelEvent,
  ProductEvent,
  ProductVariantChannelEvent,
  ProductVariantEvent,
  RefundEvent,
  RefundStateTransitionEvent,
  StockMovementEvent,
  type Type,
  type VendureEvent,
} from "@vendure/core";
import { LOGGER } from "../logger";
import { SETTINGS, type Settings } from "../options";
import { Collected, type Kind } from "./changes";
import { RecentOrders } from "./recent-orders";
import { WebhookQueue } from "./webhook-queue";

/** Milliseconds for which events are collected: an import of many products then causes few webhooks. */
const COLLECTING = 300;

/** Collects the events of this process, and puts them into the queue. */
@Injectable()
export class EventCollector implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly collected = new Collected();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly events: EventBus,
    private readonly queue: WebhookQueue,
    private readonly recentOrders: RecentOrders,
    private readonly processContext: ProcessContext,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.webhooks) return;
    this.on(ProductEvent, ({ entity }) => this.add("products", [entity.id]));
    this.on(ProductChannelEvent, ({ product }) => this.add("products", [product.id]));
    this.on(ProductVariantEvent, ({ entity }) =>
      this.add(
        "variants",
        entity.map(({ id }) => id),
      ),
    );
    this.on(ProductVariantChannelEvent, ({ productVariant }) => this.add("variants", [productVariant.id]));
    this.on(StockMovementEvent, ({ stockMovements }) =>
      this.add(
        "stock",
        stockMovements.map(({ productVariant }) => productVariant.id),
      ),
    );
    this.on(ChannelEvent, () => this.addShop());
    this.on(GlobalSettingsEvent, () => this.addShop());
    this.on(OrderPlacedEvent, ({ order }) => this.add("orders", [order.id]));
    this.on(OrderStateTransitionEvent, ({ order }) => this.addPlaced(order));
    this.on(OrderLineEvent, ({ order }) => this.addPlaced(order));
    this.on(RefundEvent, ({ order }) => this.add("orders", [order.id]));
    this.on(RefundStateTransitionEvent, ({ order }) => this.add("orders", [order.id]));
    if (this.processContext.isServer) void this.addRecentOrders();
  }

  /** Collected changes must not be lost when the process ends. */
  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private on<T extends VendureEvent>(type: Type<T>, heard: (event: T) => void): void {
    this.events.ofType(type).subscribe((event) => {
      try {
        heard(event);
      } catch (error) {
        Logger.error(`An event cannot be read: ${String(error)}`, LOGGER);
      }
    });
  }

  private add(kind: Kind, ids: Parameters<Collected["add"]>[1]): void {
    this.collected.add(kind, ids);
    this.schedule();
  }

  private addPlaced(order: Order): void {
    if (order.orderPlacedAt) this.add("orders", [order.id]);
  }

  private addShop(): void {
    this.collected.addShop();
    this.schedule();
  }

  /** A process that was killed may have lost the last changes that it had collected, so orders of that time are sent again. */
  private async addRecentOrders(): Promise<void> {
    try {
      this.add("orders", await this.recentOrders.find());
    } catch (error) {
      Logger.error(`Orders that were placed last cannot be read: ${String(error)}`, LOGGER);
    }
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), COLLECTING);
  }

  private async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    for (const changes of this.collected.take()) await this.queue.add(changes);
  }
}
