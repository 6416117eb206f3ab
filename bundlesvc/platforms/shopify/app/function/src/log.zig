//! The line that a run writes to the platform's log: an error, or the reasons why bundles got no discount.

const Reason = @import("reason.zig").Reason;
const Output = @import("output.zig").Output;

/// Seventy percent of the platform's limit.
const longest = 700;
const more = ", and more\n";

pub const Log = struct {
    buffer: [longest]u8 = undefined,
    length: usize = 0,
    shortened: bool = false,

    /// Notes that lines are charged in full. `configured` is null when they name no bundle.
    pub fn refuse(self: *Log, configured: ?u64, reason: Reason) void {
        const separator = if (self.length == 0) "no discount: " else ", ";
        var text: Output = .{ .buffer = self.buffer[0 .. longest - more.len], .length = self.length };
        if (self.shortened) return;
        if (configured) |id| {
            text.print("{s}{d} {s}", .{ separator, id, @tagName(reason) });
        } else {
            text.print("{s}line {s}", .{ separator, @tagName(reason) });
        }
        if (text.full) self.shortened = true else self.length = text.length;
    }

    /// Returns the line; empty when there is nothing to report.
    pub fn line(self: *Log) []const u8 {
        if (self.length == 0) return "";
        var text: Output = .{ .buffer = &self.buffer, .length = self.length };
        text.raw(if (self.shortened) more else "\n");
        return text.written();
    }
};
