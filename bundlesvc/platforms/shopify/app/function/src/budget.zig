//! The budget of a run within the platform's limit of instructions. The cost of reading a cart and checking its bundles is
//! estimated from counts, with a margin, so that no cart exceeds the limit: bundles that the budget does not cover stay at full
//! price. All amounts are instructions.

const Input = @import("input.zig").Input;
const Raw = @import("json.zig").Raw;
const Reader = @import("json.zig").Reader;

/// Seventy percent of the platform's limit for carts of up to 200 lines; it grows in proportion above.
const all = 7_700_000;

pub const Budget = struct {
    left: u64,

    /// The budget that is left once the input has been read and its bundles are known.
    pub fn of(input: Input, bundles: usize) Budget {
        return .{ .left = input.scaled(all) -| (input.cost + @as(u64, bundles) * 3_500) };
    }

    /// Spends an amount. Returns false when less than this is left.
    pub fn take(self: *Budget, amount: u64) bool {
        if (amount > self.left) return false;
        self.left -= amount;
        return true;
    }
};

/// The cost of reading an input.
pub fn ofInput(reader: Reader, lines: usize, keys: usize) u64 {
    const of_text = @as(u64, reader.text.len) * 14 + @as(u64, reader.pieces) * 1_250 + @as(u64, reader.escapes) * 80;
    return of_text + @as(u64, lines) * 2_500 + @as(u64, keys) * 18_000;
}

/// The cost of reading the attribute `_bundles`, except for its values and the escapes in it.
pub fn ofAttribute(attribute: Raw) u64 {
    return @as(u64, attribute.text.len) * 15 + ofEscapes(attribute.escapes);
}

/// The cost of each object and list of the attribute, and of each comma between members and elements.
pub const value = 700;

/// The cost of copying a string with this number of escapes.
pub fn ofEscapes(escapes: usize) u64 {
    return @as(u64, escapes) * 250;
}

/// The cost of verifying a token with one key.
pub fn ofSignature(token: []const u8) u64 {
    return 18_000 + @as(u64, token.len) * 85;
}

/// The cost of decrypting a token, comparing this number of lines with its claims, and writing them.
pub fn ofContent(token: []const u8, lines: usize) u64 {
    return 15_000 + @as(u64, token.len) * 100 + @as(u64, lines) * 5_500;
}
