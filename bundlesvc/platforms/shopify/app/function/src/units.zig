//! Numbers of units by variant, in a cart and in a promise.

const std = @import("std");
const digits = @import("digits.zig");
const Sha256 = std.crypto.hash.sha2.Sha256;

pub const Unit = struct { variant: u64, count: u64 };

const greatest_id = (1 << 53) - 1;

/// Parses a numeric id; null when the text is not one.
pub fn parseId(text: []const u8) ?u64 {
    if (text.len == 0 or text[0] == '0') return null;
    const id = digits.parse(text) orelse return null;
    return if (id <= greatest_id) id else null;
}

/// Sorts units by variant, and adds up those of the same variant. Returns the part of the list that is left.
pub fn summed(units: []Unit) []Unit {
    if (units.len == 0) return units;
    if (!std.sort.isSorted(Unit, units, {}, before)) std.sort.heap(Unit, units, {}, before);
    var last: usize = 0;
    for (units[1..]) |unit| {
        if (unit.variant == units[last].variant) {
            units[last].count += unit.count;
        } else {
            last += 1;
            units[last] = unit;
        }
    }
    return units[0 .. last + 1];
}

fn before(_: void, left: Unit, right: Unit) bool {
    return left.variant < right.variant;
}

/// The count of a variant among sorted units; 0 when it is missing.
pub fn count(units: []const Unit, variant: u64) u64 {
    var low: usize = 0;
    var high = units.len;
    while (low < high) {
        const middle = low + (high - low) / 2;
        if (units[middle].variant == variant) return units[middle].count;
        if (units[middle].variant < variant) low = middle + 1 else high = middle;
    }
    return 0;
}

/// The units in a promise: a list, or `sha256:` and a digest when there are many.
pub const Promise = union(enum) {
    units: []const Unit,
    digest: []const u8,
};

/// Whether a digest matches: `sha256:` and, in hexadecimal, the digest of the pairs `<id>:<count>`, sorted by id and joined by
/// commas.
pub fn hasDigest(units: []const Unit, digest: []const u8) bool {
    var hash = Sha256.init(.{});
    for (units, 0..) |unit, place| {
        if (place > 0) hash.update(",");
        var buffer: digits.Buffer = undefined;
        hash.update(digits.write(&buffer, unit.variant));
        hash.update(":");
        hash.update(digits.write(&buffer, unit.count));
    }
    const hexadecimal = std.fmt.bytesToHex(hash.finalResult(), .lower);
    return std.mem.startsWith(u8, digest, "sha256:") and std.mem.eql(u8, digest["sha256:".len..], &hexadecimal);
}
