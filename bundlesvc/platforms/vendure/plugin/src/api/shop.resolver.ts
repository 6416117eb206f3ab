import { Args, Mutation, ResolveField, Resolver } from "@nestjs/graphql";
import { ActiveOrderService, Allow, Ctx, isGraphQlErrorResult, Permission, type RequestContext } from "@vendure/core";
import { BundleAdder, type Added } from "./bundle-adder";
import { BundleNotAddedError } from "./bundle-not-added";
import { readConfigured } from "./configured-cart";

@Resolver()
export class ShopResolver {
  constructor(
    private readonly activeOrders: ActiveOrderService,
    private readonly adder: BundleAdder,
  ) {}

  @Mutation()
  @Allow(Permission.UpdateOrder, Permission.Owner)
  async addBundleToOrder(@Ctx() ctx: RequestContext, @Args() { configured }: { configured: unknown }): Promise<Added> {
    const lines = readConfigured(configured);
    if (!lines) return new BundleNotAddedError("BUNDLE_NOT_READABLE");
    const order = await this.activeOrders.getActiveOrder(ctx, undefined, true);
    return this.adder.add(ctx, order.id, lines);
  }
}

@Resolver("AddBundleToOrderResult")
export class AddBundleToOrderResultResolver {
  @ResolveField()
  __resolveType(value: Added): string {
    return isGraphQlErrorResult(value) ? (value as { __typename: string }).__typename : "Order";
  }
}
