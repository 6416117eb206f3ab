//! Target `cart.transform.run`: each bundle that is still as configured is merged into one line, with its discount as a
//! percentage off.

const amounts = @import("amounts.zig");
const bundle_checks = @import("bundles.zig");
const prices = @import("prices.zig");
const std = @import("std");
const Attribute = @import("attribute.zig").Attribute;
const Budget = @import("budget.zig").Budget;
const Bundle = bundle_checks.Bundle;
const input_format = @import("input.zig");
const Input = input_format.Input;
const Intact = bundle_checks.Intact;
const Log = @import("log.zig").Log;
const Opener = @import("token.zig").Opener;
const Output = @import("output.zig").Output;
const Reason = @import("reason.zig").Reason;

pub fn run(input: Input, output: *Output, log: *Log, arena: std.mem.Allocator) error{OutOfMemory}!void {
    const bundles = try bundle_checks.bundles(input.lines, arena);
    var budget = Budget.of(input, bundles.len);
    const attribute = try Attribute.read(input.bundles, bundles, &budget, arena);
    var opener: Opener = .{ .keys = input.config.keys, .budget = &budget };
    for (input.lines) |line| {
        if (line.data != null and line.mark == null) log.refuse(null, .line_unreadable);
    }
    for (bundles) |bundle| {
        if (try refusal(bundle, attribute, input, &opener, output, arena)) |reason| log.refuse(bundle.configured, reason);
    }
}

/// Writes the merge of a bundle, or returns the reason why there is none.
fn refusal(
    bundle: Bundle,
    attribute: Attribute,
    input: Input,
    opener: *Opener,
    output: *Output,
    arena: std.mem.Allocator,
) error{OutOfMemory}!?Reason {
    if (input_format.hasPlan(input.lines)) return .selling_plan;
    const intact = switch (try bundle_checks.check(bundle, attribute, input, opener, arena)) {
        .reason => |reason| return reason,
        .intact => |intact| intact,
    };
    const discounted = switch (prices.promised(intact.claims, bundle, input)) {
        .amount => |amount| amount,
        .reason => |reason| return reason,
    };
    const before = output.length;
    if (before > 0) output.raw(",");
    write(bundle, intact, discounted, output);
    if (!output.full) return null;
    output.cut(before);
    return .output_full;
}

/// Empty values are left out: the platform then uses those of the parent variant.
fn write(bundle: Bundle, intact: Intact, discounted: amounts.Amount, output: *Output) void {
    const mark = bundle.lines[0].mark.?;
    output.print("{{\"linesMerge\":{{\"parentVariantId\":\"gid://shopify/ProductVariant/{d}\",\"cartLines\":[", .{mark.parent});
    for (bundle.lines, 0..) |line, place| {
        output.raw(if (place == 0) "{\"cartLineId\":" else ",{\"cartLineId\":");
        output.string(line.id);
        output.raw(",\"quantity\":");
        output.number(line.quantity);
        output.raw("}");
    }
    // The attribute identifies the configured bundle in the order, and keeps bundles with the same parent variant apart.
    output.print("],\"attributes\":[{{\"key\":\"_bundle_data\",\"value\":\"{d}#{d}#", .{ mark.configured, mark.parent });
    output.escaped(mark.unique);
    output.raw("\"}]");
    if (intact.entry.title.len > 0) {
        output.raw(",\"title\":");
        output.string(intact.entry.title);
    }
    if (std.mem.startsWith(u8, intact.entry.image, "https://")) {
        output.raw(",\"image\":{\"url\":");
        output.string(intact.entry.image);
        output.raw("}");
    }
    const percentage = amounts.percentageOff(@intCast(bundle.amount()), discounted);
    if (percentage > 0) {
        var text: [20]u8 = undefined;
        output.print(",\"price\":{{\"percentageDecrease\":{{\"value\":\"{s}\"}}}}", .{amounts.percentageText(&text, percentage)});
    }
    output.raw("}}");
}
