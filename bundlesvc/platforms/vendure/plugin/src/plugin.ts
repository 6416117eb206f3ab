import type { OnApplicationBootstrap } from "@nestjs/common";
import { I18nService, PluginCommonModule, type Type, VendurePlugin } from "@vendure/core";
import { AdminResolver } from "./api/admin.resolver";
import { BundleAdder } from "./api/bundle-adder";
import { MESSAGES } from "./api/bundle-not-added";
import { LineBundles } from "./api/line-bundles";
import { OrderLineResolver } from "./api/order-line.resolver";
import { Refunds } from "./api/refunds";
import { ADMIN_SCHEMA, SHOP_SCHEMA } from "./api/schema";
import { AddBundleToOrderResultResolver, ShopResolver } from "./api/shop.resolver";
import { type BundlesPluginOptions, checkedSettings, type Settings, SETTINGS } from "./options";
import { LINE_FIELDS } from "./orders/line-fields";
import { OrderPromises } from "./orders/order-promises";
import { SalesChannels } from "./orders/sales-channels";
import { BundleOrders } from "./proof/bundle-orders";
import { readBundleOrders } from "./proof/permission";
import { bundleIsIntact, promisedDiscount } from "./promotion/definitions";
import { PromotionKeeper } from "./promotion/promotion-keeper";
import { EventCollector } from "./webhooks/collector";
import { RecentOrders } from "./webhooks/recent-orders";
import { WebhookBody } from "./webhooks/webhook-body";
import { WebhookQueue } from "./webhooks/webhook-queue";

/** Charges native bundles of bundlesvc at the promised price. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: ">=3.7.3 <3.8",
  providers: [
    { provide: SETTINGS, useFactory: () => BundlesPlugin.settings },
    SalesChannels,
    OrderPromises,
    PromotionKeeper,
    BundleAdder,
    LineBundles,
    Refunds,
    BundleOrders,
    RecentOrders,
    WebhookBody,
    WebhookQueue,
    EventCollector,
  ],
  configuration: (config) => {
    config.authOptions.customPermissions.push(readBundleOrders);
    config.customFields.OrderLine.push(...LINE_FIELDS);
    config.promotionOptions.promotionConditions.push(bundleIsIntact);
    config.promotionOptions.promotionActions.push(promisedDiscount);
    return config;
  },
  shopApiExtensions: {
    schema: SHOP_SCHEMA,
    resolvers: [ShopResolver, AddBundleToOrderResultResolver, OrderLineResolver],
  },
  adminApiExtensions: { schema: ADMIN_SCHEMA, resolvers: [AdminResolver, OrderLineResolver] },
})
export class BundlesPlugin implements OnApplicationBootstrap {
  /** @internal */
  static settings: Settings;

  constructor(private readonly i18n: I18nService) {}

  /** @internal */
  onApplicationBootstrap(): void {
    this.i18n.addTranslation("en", { errorResult: MESSAGES });
  }

  /** The plugin with its options. Throws an error when an option is invalid. */
  static init(options: BundlesPluginOptions): Type<BundlesPlugin> {
    BundlesPlugin.settings = checkedSettings(options);
    return BundlesPlugin;
  }
}
