import type { Promotion } from "@vendure/core";

/** The code of the condition of the plugin's promotion. */
export const CONDITION = "bundlesvc_intact";
/** The code of the action of the plugin's promotion. */
export const ACTION = "bundlesvc_promise";

/** The name of the promotion, which customers see in their orders. */
export const NAME = "Bundle";

/** The priority of the promotion: before all others, so that none of them leaves too little to take the promised discount off. */
export const PRIORITY = -1000;

/** The required properties of the promotion. Whether it is enabled is the shop's decision. */
export const RECIPE = {
  conditions: [{ code: CONDITION, args: [] }],
  actions: [{ code: ACTION, args: [] }],
  priorityScore: PRIORITY,
  couponCode: null,
  startsAt: null,
  endsAt: null,
  usageLimit: null,
  perCustomerUsageLimit: null,
} as const;

/** Whether a promotion still has the properties with which the plugin created it. */
export function isIntact(promotion: Promotion): boolean {
  return Object.entries(RECIPE).every(
    ([name, value]) => JSON.stringify(promotion[name as keyof typeof RECIPE] ?? null) === JSON.stringify(value),
  );
}
