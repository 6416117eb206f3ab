//! The bundles of a cart, and whether each is still the bundle for which its discount string was made.

const std = @import("std");
const amounts = @import("amounts.zig");
const claims_format = @import("claims.zig");
const input_format = @import("input.zig");
const json = @import("json.zig");
const units = @import("units.zig");
const Attribute = @import("attribute.zig").Attribute;
const Claims = claims_format.Claims;
const Entry = @import("attribute.zig").Entry;
const Input = input_format.Input;
const Line = input_format.Line;
const Opener = @import("token.zig").Opener;
const Reason = @import("reason.zig").Reason;

const day = 24 * 60 * 60;

/// The lines of one configured bundle, and its fees, which are charged in full.
pub const Bundle = struct {
    configured: u64,
    /// The bundle's position in the order of the numbers of configured bundles.
    rank: usize,
    lines: []const Line,
    fees: []const Line,

    /// Whether any line is bought with a selling plan.
    pub fn hasPlan(self: Bundle) bool {
        return input_format.hasPlan(self.lines);
    }

    /// Whether every line is bought with a selling plan.
    pub fn isSubscribed(self: Bundle) bool {
        for (self.lines) |line| {
            if (!line.has_plan) return false;
        }
        return true;
    }

    /// The sum of the prices of the lines, in the cart's currency.
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

/// A bundle whose lines match the promise. Their prices have not been compared yet.
pub const Intact = struct { claims: Claims, entry: Entry };

pub const Checked = union(enum) { intact: Intact, reason: Reason };

/// The bundles in the order of the cart. A bundle of which only fees are left is omitted. The function sorts instead of hashing:
/// shoppers could choose numbers with equal hashes.
pub fn bundles(lines: []const Line, arena: std.mem.Allocator) error{OutOfMemory}![]const Bundle {
    var places: std.ArrayList(Place) = try .initCapacity(arena, lines.len);
    for (lines, 0..) |line, number| {
        const mark = line.mark orelse continue;
        places.appendAssumeCapacity(.{ .configured = mark.configured, .number = number });
    }
    if (!std.sort.isSorted(Place, places.items, {}, Place.isBefore)) std.sort.heap(Place, places.items, {}, Place.isBefore);
    const at_line = try arena.alloc(?Bundle, lines.len);
    @memset(at_line, null);
    var rank: usize = 0;
    var rest: []const Place = places.items;
    while (rest.len > 0) {
        var count: usize = 1;
        while (count < rest.len and rest[count].configured == rest[0].configured) count += 1;
        if (firstLine(lines, rest[0..count])) |first| {
            at_line[first] = try bundleOf(lines, rest[0..count], rank, arena);
            rank += 1;
        }
        rest = rest[count..];
    }
    var found: std.ArrayList(Bundle) = try .initCapacity(arena, rank);
    for (at_line) |bundle| found.appendAssumeCapacity(bundle orelse continue);
    return found.items;
}

/// The position of a line in the cart, and the bundle that it belongs to.
const Place = struct {
    configured: u64,
    number: usize,

    fn isBefore(_: void, left: Place, right: Place) bool {
        return if (left.configured == right.configured) left.number < right.number else left.configured < right.configured;
    }
};

/// The number of the first line that is not a fee.
fn firstLine(lines: []const Line, places: []const Place) ?usize {
    for (places) |place| {
        if (!lines[place.number].is_fee) return place.number;
    }
    return null;
}

fn bundleOf(lines: []const Line, places: []const Place, rank: usize, arena: std.mem.Allocator) error{OutOfMemory}!Bundle {
    var of_bundle: std.ArrayList(Line) = try .initCapacity(arena, places.len);
    var fees: std.ArrayList(Line) = .empty;
    for (places) |place| {
        const line = lines[place.number];
        if (line.is_fee) try fees.append(arena, line) else of_bundle.appendAssumeCapacity(line);
    }
    return .{ .configured = places[0].configured, .rank = rank, .lines = of_bundle.items, .fees = fees.items };
}

/// The first reason against the discount of a bundle, among the reasons that do not depend on prices.
pub fn check(
    bundle: Bundle,
    attribute: Attribute,
    input: Input,
    opener: *Opener,
    arena: std.mem.Allocator,
) error{OutOfMemory}!Checked {
    const entry = switch (attribute.entry(bundle)) {
        .entry => |entry| entry,
        .reason => |reason| return .{ .reason = reason },
    };
    const content = switch (try opener.open(entry.discount, bundle.lines.len + bundle.fees.len, arena)) {
        .content => |content| content,
        .reason => |reason| return .{ .reason = reason },
    };
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

/// A function has no clock: the age is computed at the beginning of today.
fn ageReason(claims: Claims, input: Input) ?Reason {
    const age = input.today - claims.made_at;
    return if (age > @as(i128, input.config.max_age_days) * day) .discount_expired else null;
}

fn marksReason(claims: Claims, lines: []const Line) ?Reason {
    for (lines) |line| {
        if (!std.mem.eql(u8, line.mark.?.unique, claims.unique)) return .unique_mismatch;
    }
    const parent = lines[0].mark.?.parent;
    for (lines) |line| {
        if (line.mark.?.parent != parent) return .parents_differ;
    }
    const terms = claims.terms orelse return null;
    return if (terms.parent == parent) null else .other_parent;
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

/// More fees than promised are allowed, because each is charged in full. With a digest, the fees must be equal.
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
