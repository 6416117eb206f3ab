/**
 * The reasons why a bundle is charged at full price. The codes are those of the service's checkout, and three that only exist on
 * this platform.
 */
export const REASONS = {
  line_unreadable: "The line's mark does not have the form <configured bundle>#<parent variant>#<unique id>.",
  entry_missing: "The lines have no discount string.",
  discount_broken: "None of the plugin's keys decrypts the discount string: it was changed, or its key was removed.",
  discount_unreadable: "The discount string has a version that this plugin does not support.",
  other_shop: "The discount belongs to another shop.",
  other_configured_bundle: "The discount belongs to another configured bundle.",
  other_bundle: "The discount belongs to a bundle other than the one that the lines name.",
  test_discount: "The discount was made with a test key, so it does not apply to real orders.",
  discount_expired: "The discount is too old. Configure the bundle again.",
  unique_mismatch: "The lines and the discount come from different configure requests: their unique ids differ.",
  parents_differ: "The lines name different parent variants.",
  other_parent: "The lines name another parent variant than the one that was configured.",
  lines_missing: "A unit that was configured is missing from the order.",
  lines_extra: "The order contains units that were not configured.",
  quantity_changed: "A quantity differs from the configured one.",
  lines_changed: "The lines differ from the configured ones: one is missing, was added, or has another quantity.",
  fee_missing: "A fee of this bundle is missing from the order.",
  subscription: "The discount was made for a subscription with a percentage off, which this platform cannot sell.",
  market_changed: "The discount was made for another country or currency. Configure the bundle again.",
  prices_changed: "The lines no longer have the price that the discount was made for. Configure the bundle again.",
  coupon: "A coupon code is in use, and coupons do not combine with bundles in this shop.",
  promotion_disabled: "The promotion that applies bundle discounts is disabled, or not assigned to this channel.",
} as const;

export type Reason = keyof typeof REASONS;
