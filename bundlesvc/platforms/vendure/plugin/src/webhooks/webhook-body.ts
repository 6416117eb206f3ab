import { Injectable } from "@nestjs/common";
import { ProductVariant, RequestContext, TransactionalConnection } from "@vendure/core";
import { In } from "typeorm";
import { BundleOrders } from "../proof/bundle-orders";
import type { Changes } from "./changes";

/** Writes the bodies of webhooks. */
@Injectable()
export class WebhookBody {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly orders: BundleOrders,
  ) {}

  /** The JSON that the service reads; null when no change concerns the service. */
  async of({ products, variants, stock, orders, shop }: Changes): Promise<string | null> {
    const ctx = RequestContext.empty();
    const body = {
      products: [...new Set([...products.map(Number), ...(await this.productsOf(ctx, variants))])],
      stock: stock.map(Number),
      orders: (await this.orders.withBundles(ctx, orders)).map(Number),
      shop,
    };
    const isEmpty = !shop && [body.products, body.stock, body.orders].every((ids) => ids.length === 0);
    return isEmpty ? null : JSON.stringify(body);
  }

  private async productsOf(ctx: RequestContext, variants: readonly string[]): Promise<number[]> {
    if (variants.length === 0) return [];
    const found = await this.connection
      .getRepository(ctx, ProductVariant)
      .find({ where: { id: In([...variants]) }, select: { id: true, productId: true }, loadEagerRelations: false });
    return found.map(({ productId }) => Number(productId));
  }
}
