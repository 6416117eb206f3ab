//! The cart attribute `_bundles`: a JSON object with an entry for each configured bundle. Only the discounts in it are signed.

const std = @import("std");
const budget_format = @import("budget.zig");
const json = @import("json.zig");
const units = @import("units.zig");
const Bundle = @import("bundles.zig").Bundle;
const Budget = budget_format.Budget;
const Reason = @import("reason.zig").Reason;

pub const Entry = struct {
    discount: []const u8,
    /// The bundle id in the entry, as JSON; null when there is none.
    bundle: ?[]const u8 = null,
    title: []const u8 = "",
    image: []const u8 = "",
};

/// The entry that the attribute contains for a bundle of the cart.
const Slot = struct {
    configured: u64,
    content: union(enum) { entry: Entry, missing, unreadable } = .missing,

    fn order(configured: u64, slot: Slot) std.math.Order {
        return std.math.order(configured, slot.configured);
    }
};

pub const Attribute = struct {
    is_missing: bool = false,
    is_too_large: bool = false,
    /// The slots by rank of the bundles; null when the text is not a JSON object.
    slots: ?[]Slot,

    pub fn read(raw: json.Raw, bundles: []const Bundle, budget: *Budget, arena: std.mem.Allocator) error{OutOfMemory}!Attribute {
        const slots = readSlots(raw, bundles, budget, arena) catch |failure| switch (failure) {
            error.Malformed => return .{ .slots = null },
            error.TooLarge => return .{ .is_too_large = true, .slots = null },
            error.OutOfMemory => return error.OutOfMemory,
        };
        return .{ .is_missing = raw.text.len == 0, .slots = slots };
    }

    /// Returns the entry of a bundle, or the reason why there is none.
    pub fn entry(self: Attribute, bundle: Bundle) union(enum) { entry: Entry, reason: Reason } {
        if (self.is_missing) return .{ .reason = .attribute_missing };
        if (self.is_too_large) return .{ .reason = .attribute_too_large };
        const slots = self.slots orelse return .{ .reason = .attribute_unreadable };
        return switch (slots[bundle.rank].content) {
            .entry => |found| .{ .entry = found },
            .missing => .{ .reason = .entry_missing },
            .unreadable => .{ .reason = .entry_unreadable },
        };
    }
};

fn readSlots(raw: json.Raw, bundles: []const Bundle, budget: *Budget, arena: std.mem.Allocator) json.Error![]Slot {
    if (raw.text.len == 0) return &.{};
    if (!budget.take(budget_format.ofAttribute(raw))) return error.TooLarge;
    const slots = try arena.alloc(Slot, bundles.len);
    for (bundles) |bundle| slots[bundle.rank] = .{ .configured = bundle.configured };
    var reader = json.Reader.ofString(try json.unescaped(raw, arena), arena);
    reader.budget = budget;
    var members = try reader.object();
    while (try members.next()) |name| {
        const configured = units.parseId(name) orelse 0;
        const slot = &slots[
            std.sort.binarySearch(Slot, slots, configured, Slot.order) orelse {
                try reader.skip();
                continue;
            }
        ];
        if (try reader.peek() == .nothing) {
            slot.content = .missing;
            try reader.skip();
        } else slot.content = if (try readEntry(&reader)) |entry| .{ .entry = entry } else .unreadable;
    }
    try reader.end();
    return slots;
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
