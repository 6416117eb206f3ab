//! The price of a bundle's lines after its discount: the promised amount, if the lines are bought in the market of the promise,
//! at the prices for which it was made.

const amounts = @import("amounts.zig");
const unbound = @import("unbound.zig");
const Bundle = @import("bundles.zig").Bundle;
const Claims = @import("claims.zig").Claims;
const Input = @import("input.zig").Input;
const Market = @import("claims.zig").Market;
const Reason = @import("reason.zig").Reason;
const Terms = @import("claims.zig").Terms;
const std = @import("std");

pub const Promised = union(enum) { amount: amounts.Amount, reason: Reason };

/// The price of the lines after the discount of the bundle, in the cart's currency, or the reason why the discount does not
/// apply.
pub fn promised(claims: Claims, bundle: Bundle, input: Input) Promised {
    const whole = bundle.amount();
    if (whole > amounts.largest) return .{ .reason = .prices_changed };
    const sum: amounts.Amount = @intCast(whole);
    const found: Promised = if (claims.terms) |terms|
        bound(claims, terms, bundle, sum, input)
    else if (unbound.amount(claims, bundle, sum, input)) |amount|
        .{ .amount = amount }
    else
        .{ .reason = .prices_changed };
    return switch (found) {
        .amount => |amount| .{ .amount = @min(amount, sum) },
        .reason => found,
    };
}

/// A percentage that is valid anywhere is taken off whatever the lines cost. With a selling plan, every promise is valid in its
/// own market only, because elsewhere the lines do not show which plan was chosen.
fn bound(claims: Claims, terms: Terms, bundle: Bundle, sum: amounts.Amount, input: Input) Promised {
    if (terms.anywhere) |percentage| {
        if (!bundle.hasPlan()) {
            return .{ .amount = sum - @min(sum, amounts.percentageOf(sum, percentage, amounts.minorUnit(input.currency))) };
        }
    }
    if (!isMarket(terms.market, input)) return .{ .reason = .market_changed };
    const amount = subscribed(terms.market.original, terms.market.discounted, claims, terms.market.currency, bundle, sum) orelse
        return .{ .reason = .prices_changed };
    return .{ .amount = amount };
}

fn isMarket(market: Market, input: Input) bool {
    if (!std.mem.eql(u8, input.currency, market.currency)) return false;
    if (market.country) |country| return std.mem.eql(u8, input.country, country);
    for (market.excluded) |country| if (std.mem.eql(u8, input.country, country)) return false;
    return true;
}

/// Lines at the plan's price cost the discounted price less the subscription's percentage, and lines at the original price the
/// discounted price. The plan is tried first, because its rounding can result in the original price. Null when the lines cost
/// anything else.
pub fn subscribed(
    original: amounts.Amount,
    discounted: amounts.Amount,
    claims: Claims,
    currency: []const u8,
    bundle: Bundle,
    sum: amounts.Amount,
) ?amounts.Amount {
    const minor = amounts.minorUnit(currency);
    const percentage = claims.subscription orelse 0;
    if (percentage > 0 and bundle.isSubscribed() and isPlanPrice(original, percentage, minor, bundle, sum)) {
        return discounted - @min(discounted, amounts.percentageOf(discounted, percentage, minor));
    }
    return if (sum == original) discounted else null;
}

/// The platform rounds the price of each unit, by up to half a minor unit.
fn isPlanPrice(
    original: amounts.Amount,
    percentage: amounts.Amount,
    minor: amounts.Amount,
    bundle: Bundle,
    sum: amounts.Amount,
) bool {
    const exact = @as(u128, original) * (amounts.hundred - percentage);
    const allowed = @as(u128, bundle.unitCount()) * minor * (amounts.hundred / 2);
    const found = @as(u128, sum) * amounts.hundred;
    return (if (found > exact) found - exact else exact - found) <= allowed;
}
