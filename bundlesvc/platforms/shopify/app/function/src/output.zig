//! Writes JSON into a buffer of limited size. An operation that does not fit is removed as a whole.

const digits = @import("digits.zig");
const json = @import("json.zig");
const std = @import("std");

pub const Output = struct {
    buffer: []u8,
    length: usize = 0,
    full: bool = false,

    pub fn written(self: Output) []const u8 {
        return self.buffer[0..self.length];
    }

    /// Truncates the output to an earlier length.
    pub fn cut(self: *Output, length: usize) void {
        self.length = length;
        self.full = false;
    }

    pub fn raw(self: *Output, text: []const u8) void {
        if (text.len > self.buffer.len - self.length) {
            self.full = true;
            return;
        }
        @memcpy(self.buffer[self.length..][0..text.len], text);
        self.length += text.len;
    }

    pub fn print(self: *Output, comptime format: []const u8, values: anytype) void {
        const text = std.fmt.bufPrint(self.buffer[self.length..], format, values) catch {
            self.full = true;
            return;
        };
        self.length += text.len;
    }

    /// Writes a JSON string.
    pub fn string(self: *Output, text: []const u8) void {
        self.raw("\"");
        self.escaped(text);
        self.raw("\"");
    }

    /// Writes the inside of a JSON string.
    pub fn escaped(self: *Output, text: []const u8) void {
        var start: usize = 0;
        while (true) {
            const end = json.plainEnd(text, start);
            self.raw(text[start..end]);
            if (end == text.len) return;
            start = end + 1;
            switch (text[end]) {
                '"' => self.raw("\\\""),
                '\\' => self.raw("\\\\"),
                '\n' => self.raw("\\n"),
                '\r' => self.raw("\\r"),
                '\t' => self.raw("\\t"),
                0x08 => self.raw("\\b"),
                0x0c => self.raw("\\f"),
                else => |byte| self.raw(&.{ '\\', 'u', '0', '0', '0' + (byte >> 4), std.fmt.digitToChar(byte & 15, .lower) }),
            }
        }
    }

    /// Writes a whole number.
    pub fn number(self: *Output, value: u64) void {
        var buffer: digits.Buffer = undefined;
        self.raw(digits.write(&buffer, value));
    }
};
