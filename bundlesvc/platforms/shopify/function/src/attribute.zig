//! The cart attribute `_bundles`: a JSON object with an entry for each configured bundle. Only its discounts are signed.

const std = @import("std");
const json = @import("json.zig");
const Reason = @import("reason.zig").Reason;

pub const Entry = struct {
    discount: []const u8,
    /// The bundle that the entry names, as JSON; null when it names none.
    bundle: ?[]const u8 = null,
    title: []const u8 = "",
    image: []const u8 = "",
};

pub const Attribute = struct {
    text: []const u8,
    /// The JSON of each entry that is not null; null when the text is not a JSON object.
    entries: ?std.StringHashMapUnmanaged([]const u8),

    pub fn read(text: []const u8, arena: std.mem.Allocator) error{OutOfMemory}!Attribute {
        const entries = readEntries(text, arena) catch |failure| switch (failure) {
            error.Malformed => return .{ .text = text, .entries = null },
            error.OutOfMemory => return error.OutOfMemory,
        };
        return .{ .text = text, .entries = entries };
    }

    /// The entry of a configured bundle, or the reason that there is none.
    pub fn entry(self: Attribute, configured: u64, arena: std.mem.Allocator) error{OutOfMemory}!union(enum) { entry: Entry, reason: Reason } {
        if (self.text.len == 0) return .{ .reason = .attribute_missing };
        const entries = self.entries orelse return .{ .reason = .attribute_unreadable };
        var name: [20]u8 = undefined;
        const text = entries.get(std.fmt.bufPrint(&name, "{d}", .{configured}) catch unreachable) orelse return .{ .reason = .entry_missing };
        const found = readEntry(text, arena) catch |failure| switch (failure) {
            error.Malformed => null,
            error.OutOfMemory => return error.OutOfMemory,
        };
        return if (found) |value| .{ .entry = value } else .{ .reason = .entry_unreadable };
    }
};

fn readEntries(text: []const u8, arena: std.mem.Allocator) json.Error!std.StringHashMapUnmanaged([]const u8) {
    var entries: std.StringHashMapUnmanaged([]const u8) = .empty;
    if (text.len == 0) return entries;
    var reader = try json.Reader.init(text, arena);
    var members = try reader.object();
    while (try members.next()) |name| {
        if (try reader.peek() == .nothing) {
            _ = entries.remove(name);
            try reader.skip();
        } else try entries.put(arena, name, try reader.value());
    }
    try reader.end();
    return entries;
}

/// Null when it is not an object with a discount.
fn readEntry(text: []const u8, arena: std.mem.Allocator) json.Error!?Entry {
    var reader = try json.Reader.init(text, arena);
    var entry: Entry = .{ .discount = "" };
    var has_discount = false;
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "discount")) {
            const discount = try reader.optionalString();
            has_discount = discount != null;
            entry.discount = discount orelse "";
        } else if (std.mem.eql(u8, name, "id")) {
            entry.bundle = if (try reader.peek() == .nothing) null else try reader.value();
            if (entry.bundle == null) try reader.skip();
        } else if (std.mem.eql(u8, name, "title")) {
            entry.title = try reader.optionalString() orelse "";
        } else if (std.mem.eql(u8, name, "image")) {
            entry.image = try reader.optionalString() orelse "";
        } else try reader.skip();
    }
    return if (has_discount) entry else null;
}
