//! Fernet tokens (https://github.com/fernet/spec): AES-128-CBC, signed with HMAC-SHA256, in URL-safe base64.

const std = @import("std");
const budget_format = @import("budget.zig");
const Aes128 = std.crypto.core.aes.Aes128;
const Cipher = std.crypto.core.aes.AesDecryptCtx(Aes128);
const HmacSha256 = std.crypto.auth.hmac.sha2.HmacSha256;
const Budget = budget_format.Budget;
const Reason = @import("reason.zig").Reason;
const base64 = std.base64.url_safe_no_pad.Decoder;

/// The most characters of a token. A longer text is not a discount string: the service's own have at most half as many.
pub const longest = 4096;

const version = 0x80;
const block = Aes128.block.block_length;
/// Version (1 byte) and time (8 bytes) precede the initialisation vector.
const header = 9;
const signature_length = HmacSha256.mac_length;
const shortest = header + block + block + signature_length;

pub const Key = struct {
    /// The state of HMAC after the key.
    signature: HmacSha256,
    cipher: Cipher,

    /// Parses a key as printed by `bundlesvc discount key`; null when the text is not a key.
    pub fn parse(text: []const u8) ?Key {
        var bytes: [32]u8 = undefined;
        const digits = withoutPadding(text) orelse return null;
        if ((base64.calcSizeForSlice(digits) catch return null) != bytes.len) return null;
        base64.decode(&bytes, digits) catch return null;
        return .{ .signature = HmacSha256.init(bytes[0..16]), .cipher = Aes128.initDec(bytes[16..32].*) };
    }
};

/// The result of opening a token: its content, or the reason why it could not be opened.
pub const Opened = union(enum) { content: []const u8, reason: Reason };

/// Opens tokens within a budget.
pub const Opener = struct {
    keys: []const Key,
    budget: *Budget,
    /// The index of the key that opened the last token. It is tried first, because the tokens of a cart mostly have the same key.
    last: usize = 0,

    /// Opens the token of a bundle with this number of lines.
    pub fn open(self: *Opener, text: []const u8, lines: usize, arena: std.mem.Allocator) error{OutOfMemory}!Opened {
        if (!self.budget.take(budget_format.ofContent(text, lines))) return .{ .reason = .budget_spent };
        const token = try decode(text, arena) orelse return .{ .reason = .discount_broken };
        for (0..self.keys.len) |turn| {
            const place = if (turn == 0) self.last else if (turn <= self.last) turn - 1 else turn;
            if (!self.budget.take(budget_format.ofSignature(text))) return .{ .reason = .budget_spent };
            const content = try decrypt(token, &self.keys[place], arena) orelse continue;
            self.last = place;
            return .{ .content = content };
        }
        return .{ .reason = .discount_broken };
    }
};

/// Decodes a token; null when no key can have made the text.
fn decode(text: []const u8, arena: std.mem.Allocator) error{OutOfMemory}!?[]const u8 {
    if (text.len > longest) return null;
    const digits = withoutPadding(text) orelse return null;
    const bytes = try arena.alloc(u8, base64.calcSizeForSlice(digits) catch return null);
    base64.decode(bytes, digits) catch return null;
    const is_token = bytes.len >= shortest and bytes[0] == version and (bytes.len - header - signature_length) % block == 0;
    return if (is_token) bytes else null;
}

/// Base64 without "=" at its end; null when the padding is wrong.
fn withoutPadding(text: []const u8) ?[]const u8 {
    const digits = std.mem.trimEnd(u8, text, "=");
    const padding = text.len - digits.len;
    return if (padding == 0 or (padding <= 2 and text.len % 4 == 0)) digits else null;
}

/// Decrypts a token. The signature is checked first, so only data that was signed with the key is decrypted.
fn decrypt(token: []const u8, key: *const Key, arena: std.mem.Allocator) error{OutOfMemory}!?[]const u8 {
    const signed = token[0 .. token.len - signature_length];
    var signature: [signature_length]u8 = undefined;
    var hash = key.signature;
    hash.update(signed);
    hash.final(&signature);
    if (!std.crypto.timing_safe.eql([signature_length]u8, signature, token[signed.len..][0..signature_length].*)) return null;
    const blocks = signed[header..];
    const content = try arena.alloc(u8, blocks.len - block);
    decryptChain(&key.cipher, blocks, content);
    return unpadded(content);
}

/// Cipher block chaining: each block is decrypted and combined (XOR) with the encrypted block before it, the first one with the
/// initialisation vector.
fn decryptChain(cipher: *const Cipher, blocks: []const u8, content: []u8) void {
    var place: usize = 0;
    while (place < content.len) : (place += block) {
        const plain = content[place..][0..block];
        cipher.decrypt(plain, blocks[place + block ..][0..block]);
        for (plain, blocks[place..][0..block]) |*byte, before| byte.* ^= before;
    }
}

/// The content without its padding (PKCS #7); null when the padding is invalid.
fn unpadded(content: []const u8) ?[]const u8 {
    const count = content[content.len - 1];
    if (count == 0 or count > block) return null;
    const length = content.len - count;
    return if (std.mem.allEqual(u8, content[length..], count)) content[0..length] else null;
}
