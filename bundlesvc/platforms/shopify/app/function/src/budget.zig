//! What a run may spend of the platform's limit of instructions. What it takes to read a cart and to check its bundles is estimated
//! from what can be counted, with a margin, so that no cart exceeds the limit: bundles that the budget does not cover are left at
//! full price. All amounts are instructions.

const Input = @import("input.zig").Input;
const Raw = @import("json.zig").Raw;
const Reader = @import("json.zig").Reader;

/// Seven tenths of the platform's limit, for carts of ordinary size; in proportion above.
const all = 7_700_000;

pub const Budget = struct {
    left: u64,

    /// What is left when the input has been read, and its bundles are known.
    pub fn of(input: Input, bundles: usize) Budget {
        return .{ .left = input.scaled(all) -| (input.cost + @as(u64, bundles) * 3_500) };
    }

    /// False when there is less left.
    pub fn take(self: *Budget, amount: u64) bool {
        if (amount > self.left) return false;
        self.left -= amount;
        return true;
    }
};

/// For reading an input.
pub fn ofInput(reader: Reader, lines: usize, keys: usize) u64 {
    const of_text = @as(u64, reader.text.len) * 14 + @as(u64, reader.pieces) * 1_250 + @as(u64, reader.escapes) * 80;
    return of_text + @as(u64, lines) * 2_500 + @as(u64, keys) * 18_000;
}

/// For reading the attribute `_bundles`, besides its values and the escapes in it.
pub fn ofAttribute(attribute: Raw) u64 {
    return @as(u64, attribute.text.len) * 15 + ofEscapes(attribute.escapes);
}

/// For each object and list of the attribute, and for each comma between members and elements.
pub const value = 700;

/// For copying a string with so many escapes.
pub fn ofEscapes(escapes: usize) u64 {
    return @as(u64, escapes) * 250;
}

/// For verifying a token with one key.
pub fn ofSignature(token: []const u8) u64 {
    return 18_000 + @as(u64, token.len) * 85;
}

/// For decrypting a token, comparing that many lines with its claims, and writing them.
pub fn ofContent(token: []const u8, lines: usize) u64 {
    return 15_000 + @as(u64, token.len) * 100 + @as(u64, lines) * 5_500;
}
