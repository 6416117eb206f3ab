//! The bundles of a cart, and whether each is still the one that its discount string was made for.

const std = @import("std");
const amounts = @import("amounts.zig");
const claims_format = @import("claims.zig");
const input_format = @import("input.zig");
const json = @import("json.zig");
const token = @import("token.zig");
const units = @import("units.zig");
const Attribute = @import("attribute.zig").Attribute;
const Claims = claims_format.Claims;
const Entry = @import("attribute.zig").Entry;
const Input = input_format.Input;
const Line = input_format.Line;
const Reason = @import("reason.zig").Reason;

const day = 24 * 60 * 60;

/// More discounts are not decrypted: they would take too many instructions. For carts of ordinary size, in proportion above.
const most_bundles = 30;

/// The lines of one configured bundle, and its fees, which are charged in full.
pub const Bundle = struct {
    configured: u64,
    /// Its place among the bundles of the cart.
    place: usize,
    lines: []const Line,
    fees: []const Line,

    pub fn hasPlan(self: Bundle) bool {
        for (self.lines) |line| {
            if (line.has_plan) return true;
        }
        return false;
    }

    /// The sum of the lines, in the cart's currency.
    pub fn amount(self: Bundle) u128 {
        var sum: u128 = 0;
        for (self.lines) |line| sum += line.amount();
        return sum;
    }

    pub fn unitCount(self: Bundle) u64 {
        var count: u64 = 0;
        for (self.lines) |line| count += line.quantity;
        return count;
    }
};

/// A bundle whose lines are those of the promise. Their prices are not compared yet.
pub const Intact = struct { claims: Claims, entry: Entry };

pub const Checked = union(enum) { intact: Intact, reason: Reason };

/// The bundles in the order of the cart. One with nothing left but fees is left out.
pub fn bundles(lines: []const Line, arena: std.mem.Allocator) error{OutOfMemory}![]const Bundle {
    var places: std.AutoArrayHashMapUnmanaged(u64, Parts) = .empty;
    for (lines) |line| if (!line.is_fee) {
        const mark = line.mark orelse continue;
        const found = try places.getOrPut(arena, mark.configured);
        if (!found.found_existing) found.value_ptr.* = .{};
        try found.value_ptr.lines.append(arena, line);
    };
    for (lines) |line| if (line.is_fee) {
        const mark = line.mark orelse continue;
        const parts = places.getPtr(mark.configured) orelse continue;
        try parts.fees.append(arena, line);
    };
    const found = try arena.alloc(Bundle, places.count());
    for (found, places.keys(), places.values(), 0..) |*bundle, configured, parts, place| {
        bundle.* = .{ .configured = configured, .place = place, .lines = parts.lines.items, .fees = parts.fees.items };
    }
    return found;
}

const Parts = struct {
    lines: std.ArrayList(Line) = .empty,
    fees: std.ArrayList(Line) = .empty,
};

/// The first reason against the discount of a bundle, of all that do not depend on prices.
pub fn check(bundle: Bundle, attribute: Attribute, input: Input, arena: std.mem.Allocator) error{OutOfMemory}!Checked {
    if (bundle.place >= input.scaled(most_bundles)) return .{ .reason = .too_many_bundles };
    const entry = switch (attribute.entry(bundle.configured)) {
        .entry => |entry| entry,
        .reason => |reason| return .{ .reason = reason },
    };
    const content = try token.open(entry.discount, input.config.keys, arena) orelse return .{ .reason = .discount_broken };
    const claims = try claims_format.read(content, arena) orelse return .{ .reason = .discount_unreadable };
    const reason = ownerReason(claims, bundle, entry, input) orelse
        ageReason(claims, input) orelse
        marksReason(claims, bundle.lines) orelse
        try unitsReason(claims.variants, bundle.lines, arena) orelse
        try feesReason(claims.fees, bundle.fees, arena);
    return if (reason) |code| .{ .reason = code } else .{ .intact = .{ .claims = claims, .entry = entry } };
}

fn ownerReason(claims: Claims, bundle: Bundle, entry: Entry, input: Input) ?Reason {
    const shop = input.config.shop orelse return .other_shop;
    if (!std.mem.eql(u8, claims.shop, shop)) return .other_shop;
    if (claims.configured != bundle.configured) return .other_configured_bundle;
    if (entry.bundle) |text| {
        if (json.integer(text) != claims.bundle) return .other_bundle;
    }
    return if (claims.is_test) .test_discount else null;
}

/// A function has no clock: the beginning of today counts.
fn ageReason(claims: Claims, input: Input) ?Reason {
    const age = input.today - claims.made_at;
    return if (age > @as(i128, input.config.max_age_days) * day) .discount_expired else null;
}

fn marksReason(claims: Claims, lines: []const Line) ?Reason {
    for (lines) |line| {
        if (!std.mem.eql(u8, line.mark.?.unique, claims.unique)) return .unique_mismatch;
    }
    for (lines) |line| {
        if (line.mark.?.parent != lines[0].mark.?.parent) return .parents_differ;
    }
    return null;
}

fn unitsReason(promise: units.Promise, lines: []const Line, arena: std.mem.Allocator) error{OutOfMemory}!?Reason {
    const found = try unitsOf(lines, arena);
    const promised = switch (promise) {
        .digest => |digest| return if (units.hasDigest(found, digest)) null else .lines_changed,
        .units => |promised| promised,
    };
    for (promised) |unit| {
        if (units.count(found, unit.variant) == 0) return .lines_missing;
    }
    if (found.len > promised.len) return .lines_extra;
    for (promised) |unit| {
        if (units.count(found, unit.variant) != unit.count) return .quantity_changed;
    }
    return null;
}

/// More fees than were promised are allowed: each is charged in full. With a digest they must be the same.
fn feesReason(promise: units.Promise, lines: []const Line, arena: std.mem.Allocator) error{OutOfMemory}!?Reason {
    const found = try unitsOf(lines, arena);
    switch (promise) {
        .digest => |digest| return if (units.hasDigest(found, digest)) null else .fee_missing,
        .units => |promised| for (promised) |unit| {
            if (units.count(found, unit.variant) < unit.count) return .fee_missing;
        },
    }
    return null;
}

fn unitsOf(lines: []const Line, arena: std.mem.Allocator) error{OutOfMemory}![]units.Unit {
    const found = try arena.alloc(units.Unit, lines.len);
    for (found, lines) |*unit, line| unit.* = .{ .variant = line.variant, .count = line.quantity };
    return units.summed(found);
}
