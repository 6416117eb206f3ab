import type { Bundle } from "./bundles";
import type { Claims } from "./claims";
import type { Reason } from "./reasons";
import { type Counts, countUnits, digestOf, type PromisedUnits } from "./units";

const DAY = 24 * 60 * 60;

/** The settings against which a bundle is checked. */
export interface Policy {
  readonly shop: string;
  readonly maxAgeDays: number;
}

/** The first reason against a promise, among those that do not depend on prices; null when the bundle is as configured. */
export function refusalOf(claims: Claims, bundle: Bundle, policy: Policy, now: number): Reason | null {
  return (
    ofOwner(claims, bundle, policy.shop) ??
    (now - claims.madeAt > policy.maxAgeDays * DAY ? "discount_expired" : null) ??
    ofMarks(claims, bundle) ??
    ofUnits(claims.variants, countUnits(bundle.lines)) ??
    (hasFees(claims.fees, countUnits(bundle.fees)) ? null : "fee_missing") ??
    (claims.subscription > 0n ? "subscription" : null)
  );
}

function ofOwner(claims: Claims, bundle: Bundle, shop: string): Reason | null {
  if (claims.shop !== shop) return "other_shop";
  if (claims.configured !== bundle.configured) return "other_configured_bundle";
  if (bundle.lines.some((line) => line.bundle !== null && line.bundle !== claims.bundle)) return "other_bundle";
  return claims.test ? "test_discount" : null;
}

function ofMarks(claims: Claims, { marks }: Bundle): Reason | null {
  if (marks.some((mark) => mark.unique !== claims.unique)) return "unique_mismatch";
  const parents = new Set(marks.map((mark) => mark.parent));
  if (parents.size > 1) return "parents_differ";
  return claims.parent !== null && parents.has(claims.parent) ? null : "other_parent";
}

function ofUnits(promised: PromisedUnits, found: Counts): Reason | null {
  if (typeof promised === "string") return digestOf(found) === promised ? null : "lines_changed";
  const variants = [...promised.keys()];
  if (variants.some((variant) => !found.get(variant))) return "lines_missing";
  if (found.size > promised.size) return "lines_extra";
  return variants.some((variant) => found.get(variant) !== promised.get(variant)) ? "quantity_changed" : null;
}

/** More fees than promised are allowed, because each is charged at full price. With a digest, the fees must be equal. */
function hasFees(promised: PromisedUnits, found: Counts): boolean {
  if (typeof promised === "string") return digestOf(found) === promised;
  return [...promised].every(([variant, count]) => (found.get(variant) ?? 0) >= count);
}
