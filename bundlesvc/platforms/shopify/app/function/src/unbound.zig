//! The rule for promises of version 2, which name no market: the lines must cost the original price, in another currency
//! converted at the market's rate. Carts may contain such promises until these expire.

const amounts = @import("amounts.zig");
const prices = @import("prices.zig");
const Bundle = @import("bundles.zig").Bundle;
const Claims = @import("claims.zig").Claims;
const Input = @import("input.zig").Input;
const std = @import("std");

const rate_one = 1_000_000_000_000;

/// The price of the lines after the discount; null when they cost anything other than what was promised.
pub fn amount(claims: Claims, bundle: Bundle, sum: amounts.Amount, input: Input) ?amounts.Amount {
    if (!std.mem.eql(u8, claims.currency, input.currency)) return converted(claims, bundle, sum, input);
    return prices.subscribed(claims.original, claims.discounted, claims, claims.currency, bundle, sum);
}

/// In another currency, the same percentage is taken off the prices in that currency.
fn converted(claims: Claims, bundle: Bundle, sum: amounts.Amount, input: Input) ?amounts.Amount {
    const percentage = if (bundle.hasPlan()) claims.subscription orelse 0 else 0;
    if (!isConverted(claims, bundle, sum, input, 0) and
        !(percentage > 0 and isConverted(claims, bundle, sum, input, percentage))) return null;
    if (claims.discounted >= claims.original) return sum;
    const minor = amounts.minorUnit(input.currency);
    const off = @as(u128, sum) * (claims.original - claims.discounted);
    const rounded = amounts.divideHalfUp(off, @as(u128, claims.original) * minor) * minor;
    return @intCast(sum - @min(sum, rounded));
}

/// Whether the lines cost the original price, less a percentage, at the market's rate. Each unit may differ by half a minor unit
/// of the shop's currency, and by half a minor unit of the market's currency if a percentage was taken off it.
fn isConverted(claims: Claims, bundle: Bundle, sum: amounts.Amount, input: Input, percentage: amounts.Amount) bool {
    const home: i256 = amounts.minorUnit(claims.currency);
    const market: i256 = if (percentage > 0) amounts.minorUnit(input.currency) else 0;
    const rate: i256 = @intCast(input.rate);
    const found = @as(i256, sum) * rate_one * amounts.hundred;
    const exact = @as(i256, claims.original) * rate * (amounts.hundred - percentage);
    const allowed = (home * rate + market * rate_one) * bundle.unitCount() * (amounts.hundred / 2);
    return found - exact <= allowed and exact - found <= allowed;
}
