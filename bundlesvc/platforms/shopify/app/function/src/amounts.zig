//! Exact amounts: whole numbers of millionths. Binary floating point is never used.

const std = @import("std");

/// An amount in millionths of a currency's unit.
pub const Amount = u64;
pub const one: Amount = 1_000_000;
pub const hundred: Amount = 100 * one;

/// The largest sum of a cart, chosen so that no product below overflows.
pub const largest: u128 = 1_000_000_000_000 * @as(u128, one);

const most_digits = 12;
const percentage_steps = 100_000_000;

/// Parses an amount such as "12" or "12.5"; null when the text has another form, or more digits than amounts may have.
pub fn parse(text: []const u8) ?Amount {
    const number = decimal(Amount, text, 6) orelse return null;
    return if (number.cut) null else number.value;
}

/// Parses a rate, in units of 10^-12. Decimals after the twelfth are dropped.
pub fn parseRate(text: []const u8) ?u128 {
    const number = decimal(u128, text, 12) orelse return null;
    return number.value;
}

/// Parses up to twelve digits and forty decimals, of which `places` are used. Nothing can overflow, so wrapping products are
/// used: 18 digits fit into 64 bits, 24 into 128.
fn decimal(comptime Number: type, text: []const u8, comptime places: usize) ?struct { value: Number, cut: bool } {
    const point = std.mem.indexOfScalar(u8, text, '.') orelse text.len;
    const fraction = if (point == text.len) "" else text[point + 1 ..];
    if (point == 0 or point > most_digits or fraction.len > 40) return null;
    if (point < text.len and fraction.len == 0) return null;
    var value: Number = 0;
    for (text[0..point]) |digit| value = value *% 10 +% (digitOf(digit) orelse return null);
    for (fraction, 0..) |digit, place| {
        const number = digitOf(digit) orelse return null;
        if (place < places) value = value *% 10 +% number;
    }
    for (@min(fraction.len, places)..places) |_| value *%= 10;
    return .{ .value = value, .cut = fraction.len > places };
}

fn digitOf(byte: u8) ?u8 {
    return if (std.ascii.isDigit(byte)) byte - '0' else null;
}

const no_minor_unit = [_]*const [3:0]u8{
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF",
};

const three_decimals = [_]*const [3:0]u8{ "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND" };

/// The smallest amount of a currency (ISO 4217).
pub fn minorUnit(currency: []const u8) Amount {
    if (contains(&no_minor_unit, currency)) return one;
    return if (contains(&three_decimals, currency)) one / 1_000 else one / 100;
}

fn contains(codes: []const *const [3:0]u8, currency: []const u8) bool {
    for (codes) |code| {
        if (std.mem.eql(u8, code, currency)) return true;
    }
    return false;
}

/// The amount of a number of minor units; null when the number is negative, or the amount would be too large.
pub fn ofMinorUnits(count: i64, minor: Amount) ?Amount {
    if (count < 0) return null;
    const amount = @as(u128, @intCast(count)) * minor;
    return if (amount <= largest) @intCast(amount) else null;
}

/// A percentage of an amount, rounded half up to the minor unit. The amount is at most `largest`, and the percentage at most 100.
pub fn percentageOf(amount: Amount, percentage: Amount, minor: Amount) Amount {
    return @intCast(divideHalfUp(@as(u128, amount) * percentage, @as(u128, hundred) * minor) * minor);
}

/// `dividend / divisor`, rounded half up.
pub fn divideHalfUp(dividend: u128, divisor: u128) u128 {
    return (dividend * 2 + divisor) / (divisor * 2);
}

/// The percentage to take off `original`, in units of 10^-8 percent; 0 when there is nothing to take off.
pub fn percentageOff(original: Amount, discounted: Amount) u128 {
    if (discounted >= original) return 0;
    return divideHalfUp(@as(u128, original - discounted) * 100 * percentage_steps, original);
}

/// A percentage as text, without trailing zeros: "10", "33.33333333".
pub fn percentageText(buffer: *[20]u8, percentage: u128) []const u8 {
    const whole = percentage / percentage_steps;
    const fraction = percentage % percentage_steps;
    const text = std.fmt.bufPrint(buffer, "{d}.{d:0>8}", .{ whole, fraction }) catch unreachable;
    return std.mem.trimEnd(u8, std.mem.trimEnd(u8, text, "0"), ".");
}
