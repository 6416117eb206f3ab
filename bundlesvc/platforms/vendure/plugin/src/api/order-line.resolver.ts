import { Parent, ResolveField, Resolver } from "@nestjs/graphql";
import { Ctx, type OrderLine, type RequestContext } from "@vendure/core";
import { type LineBundle, LineBundles } from "./line-bundles";

@Resolver("OrderLine")
export class OrderLineResolver {
  constructor(private readonly bundles: LineBundles) {}

  @ResolveField()
  bundle(@Ctx() ctx: RequestContext, @Parent() line: OrderLine): Promise<LineBundle | null> {
    return this.bundles.of(ctx, line);
  }
}
