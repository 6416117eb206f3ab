//! The function's exports, one per target. A run reads the cart, works in fixed memory, and writes operations. Whatever the
//! input, and even if this code has a fault, the output is valid and the cart can be bought.

const std = @import("std");
const host = @import("host.zig");
const json = @import("json.zig");
const input_format = @import("input.zig");
const cart_transform = @import("cart_transform.zig");
const line_discounts = @import("line_discounts.zig");
const Log = @import("log.zig").Log;
const Output = @import("output.zig").Output;

/// Side channels need no mitigation: only tokens signed by the service are decrypted, so nobody controls the look-ups in the AES
/// tables, and no other code runs alongside to measure timing.
pub const std_options: std.Options = .{ .side_channels_mitigations = .none };

/// Called when a safety check fails: the cart is charged in full.
pub const panic = std.debug.FullPanic(failed);

fn failed(_: []const u8, _: ?usize) noreturn {
    host.writeOutput(none);
    host.writeLog("no discount: internal_error\n");
    host.exit(0);
}

const none = "{\"operations\":[]}";
const head = "{\"operations\":[";
const tail = "]}";

/// The platform's limit on the output for carts of up to 200 lines; it grows in proportion above.
const most_output = 20_000;

var input_buffer: [768 * 1024]u8 = undefined;
var arena_buffer: [1536 * 1024]u8 = undefined;
var output_buffer: [64 * 1024]u8 = undefined;

const Target = enum { cart_transform, line_discounts };

export fn cart_transform_run() void {
    runTarget(.cart_transform);
}

export fn cart_lines_discounts_generate_run() void {
    runTarget(.line_discounts);
}

/// The entry point of a WASI command. The platform calls the exports of the targets instead.
export fn _start() void {}

fn runTarget(target: Target) void {
    var fixed = std.heap.FixedBufferAllocator.init(&arena_buffer);
    const text = host.readInput(&input_buffer) orelse return refuse("input_too_large");
    run(target, text, fixed.allocator()) catch |failure| refuse(switch (failure) {
        error.Malformed => "input_unreadable",
        error.TooLarge, error.OutOfMemory => "input_too_large",
    });
}

fn run(target: Target, text: []const u8, arena: std.mem.Allocator) json.Error!void {
    const owner = switch (target) {
        .cart_transform => "cartTransform",
        .line_discounts => "discount",
    };
    const input = try input_format.read(text, owner, arena);
    const limit: usize = @intCast(@min(input.scaled(most_output), output_buffer.len));
    var output: Output = .{ .buffer = output_buffer[head.len .. limit - tail.len] };
    var log: Log = .{};
    switch (target) {
        .cart_transform => try cart_transform.run(input, &output, &log, arena),
        .line_discounts => try line_discounts.run(input, &output, &log, arena),
    }
    @memcpy(output_buffer[0..head.len], head);
    @memcpy(output_buffer[head.len + output.length ..][0..tail.len], tail);
    host.writeOutput(output_buffer[0 .. head.len + output.length + tail.len]);
    const line = log.line();
    if (line.len > 0) host.writeLog(line);
}

fn refuse(reason: []const u8) void {
    host.writeOutput(none);
    var buffer: [64]u8 = undefined;
    host.writeLog(std.fmt.bufPrint(&buffer, "no discount: {s}\n", .{reason}) catch unreachable);
}
