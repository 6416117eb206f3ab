import { AdjustmentType, LanguageCode, Logger, PromotionCondition, PromotionLineAction } from "@vendure/core";
import { LOGGER } from "../logger";
import { placedUnits } from "../orders/order-cart";
import { OrderPromises } from "../orders/order-promises";
import { unitOf } from "../promise/amounts";
import { PromotionKeeper } from "./promotion-keeper";
import { ACTION, CONDITION, PRIORITY } from "./recipe";

/** The discount of each line of an order by line id, in the engine's smallest amounts. */
type Reductions = Readonly<Record<string, number>>;

let promises: OrderPromises;
let keeper: PromotionKeeper;

/** The condition that an order contains a bundle that is still as configured. It does not throw, whatever the order. */
export const bundleIsIntact = new PromotionCondition({
  code: CONDITION,
  description: [{ languageCode: LanguageCode.en, value: "The order contains bundles as they were configured" }],
  args: {},
  init(injector) {
    promises = injector.get(OrderPromises);
    keeper = injector.get(PromotionKeeper);
  },
  async check(ctx, order, _args, promotion): Promise<false | Reductions> {
    try {
      if (!(await keeper.isOurs(ctx, promotion))) return false;
      const outcomes = await promises.judge(ctx, order);
      promises.log(order, outcomes);
      const unit = unitOf(promises.decimals);
      const off = outcomes.flatMap((outcome) =>
        [...outcome.off].map(([line, amount]) => [line, Number(amount / unit)]),
      );
      return off.length > 0 ? Object.fromEntries(off) : false;
    } catch (error) {
      Logger.error(`Order ${order.code}: bundles are charged at full price: ${String(error)}`, LOGGER);
      return false;
    }
  },
});

/** The action that takes the promised discounts off the lines. */
export const promisedDiscount = new PromotionLineAction({
  code: ACTION,
  description: [{ languageCode: LanguageCode.en, value: "Charge bundles as they were promised" }],
  args: {},
  priorityValue: PRIORITY,
  conditions: [bundleIsIntact],
  execute(_ctx, line, _args, state, promotion) {
    const off = state[CONDITION][String(line.id)] ?? 0;
    if (line.quantity === placedUnits(line)) return -off;
    // The engine limits a discount to the price of the remaining units, but spreads it over the units that were placed.
    if (off > 0) {
      const adjustmentSource = promotion.getSourceId();
      line.adjustments = [
        ...line.adjustments,
        { adjustmentSource, type: AdjustmentType.PROMOTION, description: promotion.name, amount: -off, data: {} },
      ];
    }
    return 0;
  },
});
