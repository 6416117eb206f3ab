//! Whether the lines of a bundle cost what its discount was made for, and what is left to take off lines with a selling plan.

const amounts = @import("amounts.zig");
const Bundle = @import("bundles.zig").Bundle;
const Claims = @import("claims.zig").Claims;
const Input = @import("input.zig").Input;
const std = @import("std");

const hundred = 100 * amounts.one;
const rate_one = 1_000_000_000_000;

/// Whether the lines cost the original price. In another currency than the shop's, prices are compared only where the
/// configuration says so.
pub fn hold(claims: Claims, bundle: Bundle, input: Input) bool {
    const sum = bundle.amount();
    if (sum > amounts.largest) return false;
    if (isHome(claims, input)) return sum == claims.original;
    return !input.config.check_market_prices or isConverted(claims, bundle, input, 0);
}

/// What the bundle's own discount takes off lines that a selling plan may have made cheaper, in minor units of the cart's
/// currency; null when the lines cost something else.
pub fn planDiscount(claims: Claims, bundle: Bundle, input: Input) ?u64 {
    const sum = bundle.amount();
    if (sum > amounts.largest) return null;
    return if (isHome(claims, input)) homeDiscount(claims, bundle, sum) else marketDiscount(claims, bundle, input, sum);
}

fn isHome(claims: Claims, input: Input) bool {
    return std.mem.eql(u8, claims.currency, input.currency);
}

/// Lines at the original price come to the discounted one; lines at the plan's price to the discounted one less the
/// subscription's percentage, which is what the shopper was promised.
fn homeDiscount(claims: Claims, bundle: Bundle, sum: u128) ?u64 {
    const minor = amounts.minorUnit(claims.currency);
    const target = if (sum == claims.original)
        claims.discounted
    else if (isPlanPrice(claims, bundle, sum, minor))
        claims.discounted - @min(claims.discounted, percentageOf(claims.discounted, claims.subscription, minor))
    else
        return null;
    return if (sum <= target) 0 else @intCast((sum - target) / minor);
}

/// The platform rounds the price of every unit, by at most half a minor unit.
fn isPlanPrice(claims: Claims, bundle: Bundle, sum: u128, minor: amounts.Amount) bool {
    const exact = @as(u128, claims.original) * (hundred - claims.subscription);
    const allowed = @as(u128, bundle.unitCount()) * minor * (hundred / 2);
    const found = sum * hundred;
    return claims.subscription > 0 and (if (found > exact) found - exact else exact - found) <= allowed;
}

fn percentageOf(amount: amounts.Amount, percentage: amounts.Amount, minor: amounts.Amount) amounts.Amount {
    return @intCast(amounts.divideHalfUp(@as(u128, amount) * percentage, @as(u128, hundred) * minor) * minor);
}

/// The same percentage is taken off that currency's prices.
fn marketDiscount(claims: Claims, bundle: Bundle, input: Input, sum: u128) ?u64 {
    if (input.config.check_market_prices and
        !isConverted(claims, bundle, input, 0) and
        !(claims.subscription > 0 and isConverted(claims, bundle, input, claims.subscription))) return null;
    if (claims.discounted >= claims.original) return 0;
    const minor = amounts.minorUnit(input.currency);
    const off = sum * (claims.original - claims.discounted);
    return @intCast(amounts.divideHalfUp(off, @as(u128, claims.original) * minor));
}

/// Whether the lines cost the original less a percentage at the market's rate. Each unit may differ by half a minor unit of
/// the shop's currency, and by half a minor unit of the market's where a percentage was taken off it.
fn isConverted(claims: Claims, bundle: Bundle, input: Input, percentage: amounts.Amount) bool {
    const home: i256 = amounts.minorUnit(claims.currency);
    const market: i256 = if (percentage > 0) amounts.minorUnit(input.currency) else 0;
    const rate: i256 = @intCast(input.rate);
    const found = @as(i256, @intCast(bundle.amount())) * rate_one * hundred;
    const exact = @as(i256, claims.original) * rate * (hundred - percentage);
    const allowed = (home * rate + market * rate_one) * bundle.unitCount() * (hundred / 2);
    return found - exact <= allowed and exact - found <= allowed;
}
