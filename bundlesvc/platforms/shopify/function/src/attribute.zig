//! The cart attribute `_bundles`: a JSON object with an entry for each configured bundle. Only its discounts are signed.

const std = @import("std");
const json = @import("json.zig");
const Input = @import("input.zig").Input;
const Reason = @import("reason.zig").Reason;

pub const Entry = struct {
    discount: []const u8,
    /// The bundle that the entry names, as JSON; null when it names none.
    bundle: ?[]const u8 = null,
    title: []const u8 = "",
    image: []const u8 = "",
};

/// Longer text is not read: it would take too many instructions. For carts of ordinary size, in proportion above.
const longest = 40_000;

/// By configured bundle; null when an entry is not an object with a discount.
const Entries = std.StringHashMapUnmanaged(?Entry);

pub const Attribute = struct {
    text: []const u8,
    is_too_large: bool = false,
    /// The entries that are not null; null when the text is not a JSON object.
    entries: ?Entries,

    pub fn read(input: Input, arena: std.mem.Allocator) error{OutOfMemory}!Attribute {
        const text = input.bundles;
        if (text.len > input.scaled(longest)) return .{ .text = text, .is_too_large = true, .entries = null };
        const entries = readEntries(text, arena) catch |failure| switch (failure) {
            error.Malformed => return .{ .text = text, .entries = null },
            error.OutOfMemory => return error.OutOfMemory,
        };
        return .{ .text = text, .entries = entries };
    }

    /// The entry of a configured bundle, or the reason that there is none.
    pub fn entry(self: Attribute, configured: u64) union(enum) { entry: Entry, reason: Reason } {
        if (self.text.len == 0) return .{ .reason = .attribute_missing };
        if (self.is_too_large) return .{ .reason = .attribute_too_large };
        const entries = self.entries orelse return .{ .reason = .attribute_unreadable };
        var name: [20]u8 = undefined;
        const key = std.fmt.bufPrint(&name, "{d}", .{configured}) catch unreachable;
        const found = entries.get(key) orelse return .{ .reason = .entry_missing };
        return if (found) |value| .{ .entry = value } else .{ .reason = .entry_unreadable };
    }
};

fn readEntries(text: []const u8, arena: std.mem.Allocator) json.Error!Entries {
    var entries: Entries = .empty;
    if (text.len == 0) return entries;
    var reader = try json.Reader.init(text, arena);
    var members = try reader.object();
    while (try members.next()) |name| {
        if (try reader.peek() == .nothing) {
            _ = entries.remove(name);
            try reader.skip();
        } else try entries.put(arena, name, try readEntry(&reader));
    }
    try reader.end();
    return entries;
}

fn readEntry(reader: *json.Reader) json.Error!?Entry {
    if (try reader.peek() != .object) {
        try reader.skip();
        return null;
    }
    var entry: Entry = .{ .discount = "" };
    var has_discount = false;
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "discount")) {
            const discount = try reader.optionalString();
            has_discount = discount != null;
            entry.discount = discount orelse "";
        } else if (std.mem.eql(u8, name, "id")) {
            const is_null = try reader.peek() == .nothing;
            const bundle = try reader.value();
            entry.bundle = if (is_null) null else bundle;
        } else if (std.mem.eql(u8, name, "title")) {
            entry.title = try reader.optionalString() orelse "";
        } else if (std.mem.eql(u8, name, "image")) {
            entry.image = try reader.optionalString() orelse "";
        } else try reader.skip();
    }
    return if (has_discount) entry else null;
}
