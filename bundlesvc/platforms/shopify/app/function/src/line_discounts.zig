//! Target `cart.lines.discounts.generate.run`: in a cart with a selling plan, bundles get their discounts as amounts off their
//! lines, because the platform may reject every merge in such a cart.

const amounts = @import("amounts.zig");
const bundle_checks = @import("bundles.zig");
const prices = @import("prices.zig");
const std = @import("std");
const Attribute = @import("attribute.zig").Attribute;
const Budget = @import("budget.zig").Budget;
const Bundle = bundle_checks.Bundle;
const input_format = @import("input.zig");
const Input = input_format.Input;
const Line = input_format.Line;
const Log = @import("log.zig").Log;
const Opener = @import("token.zig").Opener;
const Output = @import("output.zig").Output;
const Reason = @import("reason.zig").Reason;

const head = "{\"productDiscountsAdd\":{\"selectionStrategy\":\"ALL\",\"candidates\":[";
const tail = "]}}";

pub fn run(input: Input, output: *Output, log: *Log, arena: std.mem.Allocator) error{OutOfMemory}!void {
    if (!input.discounts_products or !input_format.hasPlan(input.lines)) return;
    const bundles = try bundle_checks.bundles(input.lines, arena);
    var budget = Budget.of(input, bundles.len);
    const attribute = try Attribute.read(input.bundles, bundles, &budget, arena);
    var opener: Opener = .{ .keys = input.config.keys, .budget = &budget };
    var candidates: Output = .{ .buffer = output.buffer[head.len .. output.buffer.len - tail.len] };
    for (bundles) |bundle| {
        if (try refusal(bundle, attribute, input, &opener, &candidates, arena)) |reason| log.refuse(bundle.configured, reason);
    }
    if (candidates.length == 0) return;
    output.raw(head);
    output.length += candidates.length;
    output.raw(tail);
}

/// Writes the discounts of a bundle, or returns the reason why there are none.
fn refusal(
    bundle: Bundle,
    attribute: Attribute,
    input: Input,
    opener: *Opener,
    output: *Output,
    arena: std.mem.Allocator,
) error{OutOfMemory}!?Reason {
    const intact = switch (try bundle_checks.check(bundle, attribute, input, opener, arena)) {
        .reason => |reason| return reason,
        .intact => |intact| intact,
    };
    const discounted = switch (prices.promised(intact.claims, bundle, input)) {
        .amount => |amount| amount,
        .reason => |reason| return reason,
    };
    const minor = amounts.minorUnit(input.currency);
    const discount: u64 = @intCast((bundle.amount() - discounted) / minor);
    if (discount == 0) return null;
    const before = output.length;
    try writeShares(bundle, discount, minor, output, arena);
    if (output.full) {
        output.cut(before);
        writeWhole(bundle, discount, minor, output);
    }
    if (!output.full) return null;
    output.cut(before);
    return .output_full;
}

/// Writes a share for each line. The shares add up to the discount.
fn writeShares(bundle: Bundle, discount: u64, minor: amounts.Amount, output: *Output, arena: std.mem.Allocator) error{OutOfMemory}!void {
    for (bundle.lines, try shares(bundle, discount, arena)) |line, share| {
        if (share == 0) continue;
        output.raw(if (output.length == 0) "{\"targets\":[" else ",{\"targets\":[");
        writeTarget(line, output);
        writeValue(share, minor, output);
    }
}

/// Writes one amount for all lines, which the platform distributes. This form takes the fewest bytes.
fn writeWhole(bundle: Bundle, discount: u64, minor: amounts.Amount, output: *Output) void {
    output.raw(if (output.length == 0) "{\"targets\":[" else ",{\"targets\":[");
    for (bundle.lines, 0..) |line, place| {
        if (place > 0) output.raw(",");
        writeTarget(line, output);
    }
    writeValue(discount, minor, output);
}

fn writeTarget(line: Line, output: *Output) void {
    output.raw("{\"cartLine\":{\"id\":");
    output.string(line.id);
    output.raw("}}");
}

fn writeValue(units: u64, minor: amounts.Amount, output: *Output) void {
    output.raw("],\"value\":{\"fixedAmount\":{\"amount\":\"");
    const per_one = amounts.one / minor;
    output.number(units / per_one);
    if (per_one > 1) output.raw(".");
    var place = per_one / 10;
    while (place > 0) : (place /= 10) output.raw(&.{'0' + @as(u8, @intCast(units / place % 10))});
    output.raw("\"}}}");
}

const Rest = struct { place: usize, rest: u64 };

/// Splits the discount in proportion to the amounts of the lines. Each share is rounded down, and the largest fractions get one
/// more minor unit; of equal fractions, the earlier line (docs/contract.md#allocation).
fn shares(bundle: Bundle, discount: u64, arena: std.mem.Allocator) error{OutOfMemory}![]const u64 {
    const whole: u64 = @intCast(bundle.amount()); // At most amounts.largest.
    const list = try arena.alloc(u64, bundle.lines.len);
    const rests = try arena.alloc(Rest, bundle.lines.len);
    var left = discount;
    for (list, rests, bundle.lines, 0..) |*share, *rest, line, place| {
        const product = line.amount() * discount;
        if (std.math.cast(u64, product)) |small| {
            share.* = small / whole;
            rest.* = .{ .place = place, .rest = small % whole };
        } else {
            share.* = @intCast(product / whole);
            rest.* = .{ .place = place, .rest = @intCast(product % whole) };
        }
        left -= share.*;
    }
    if (left > 0) std.sort.heap(Rest, rests, {}, isLarger);
    for (rests[0..@intCast(left)]) |rest| list[rest.place] += 1;
    return list;
}

fn isLarger(_: void, left: Rest, right: Rest) bool {
    return if (left.rest == right.rest) left.place < right.place else left.rest > right.rest;
}
