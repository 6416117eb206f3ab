//! Reads JSON (RFC 8259) in place, up to `deepest` levels of nesting. Strings without escapes are slices of the text.

const std = @import("std");
const budget_format = @import("budget.zig");
const digits = @import("digits.zig");
const Budget = budget_format.Budget;

pub const Error = error{ Malformed, TooLarge, OutOfMemory };

/// Deeper nesting is refused, so that no text exhausts the stack.
pub const deepest = 64;

pub const Kind = enum { object, array, string, number, yes, no, nothing };

/// A string as written in a text, and the number of its escapes.
pub const Raw = struct {
    text: []const u8 = "",
    escapes: usize = 0,
};

pub const Reader = struct {
    text: []const u8,
    arena: std.mem.Allocator,
    /// The budget that reading is charged to, if the text comes from somebody who may want reading to take too long.
    budget: ?*Budget = null,
    place: usize = 0,
    depth: u8 = 0,
    /// The number of escapes in the strings read so far.
    escapes: usize = 0,
    /// The number of 32-byte pieces of the text that are not ASCII.
    pieces: usize = 0,

    /// Creates a reader. Refuses text that is not UTF-8.
    pub fn init(text: []const u8, arena: std.mem.Allocator) Error!Reader {
        const pieces = utf8Pieces(text) orelse return error.Malformed;
        return .{ .text = text, .arena = arena, .pieces = pieces };
    }

    /// Creates a reader of a string that another reader has read, and which is therefore UTF-8.
    pub fn ofString(text: []const u8, arena: std.mem.Allocator) Reader {
        return .{ .text = text, .arena = arena };
    }

    /// The kind of the next value.
    pub fn peek(self: *Reader) Error!Kind {
        return switch (self.skipSpace()) {
            '{' => .object,
            '[' => .array,
            '"' => .string,
            '-', '0'...'9' => .number,
            't' => .yes,
            'f' => .no,
            'n' => .nothing,
            else => error.Malformed,
        };
    }

    /// The members of the next value, an object.
    pub fn object(self: *Reader) Error!Members {
        try self.open('{');
        return .{ .reader = self };
    }

    /// The members of the next value, an object, as far as an enum names them.
    pub fn named(self: *Reader, comptime Name: type) Error!Named(Name) {
        return .{ .members = try self.object() };
    }

    /// The elements of the next value, an array.
    pub fn array(self: *Reader) Error!Elements {
        try self.open('[');
        return .{ .reader = self };
    }

    /// The next value, a string.
    pub fn string(self: *Reader) Error![]const u8 {
        const raw = try self.rawString();
        if (raw.escapes == 0) return raw.text;
        if (self.budget) |budget| {
            if (!budget.take(budget_format.ofEscapes(raw.escapes))) return error.TooLarge;
        }
        return unescaped(raw, self.arena);
    }

    /// The next value, a string, as written in the text.
    pub fn rawString(self: *Reader) Error!Raw {
        try self.expect('"');
        const start = self.place;
        var last = plainEnd(self.text, start);
        var escapes: usize = 0;
        while (self.byteAt(last) == '\\') : (escapes += 1) {
            last += 2;
            if (self.byteAt(last) != '\\') last = plainEnd(self.text, last);
        }
        if (self.byteAt(last) != '"') return error.Malformed;
        self.place = last + 1;
        self.escapes += escapes;
        return .{ .text = self.text[start..last], .escapes = escapes };
    }

    /// The next value if it is a string; null for any other value.
    pub fn optionalString(self: *Reader) Error!?[]const u8 {
        if (try self.peek() == .string) return try self.string();
        try self.skip();
        return null;
    }

    /// The next value if it is a whole number on which every JSON reader agrees; null for any other value.
    pub fn optionalInteger(self: *Reader) Error!?i64 {
        if (try self.peek() != .number) {
            try self.skip();
            return null;
        }
        const text = try self.number();
        const negative = text[0] == '-';
        const parsed = digits.parse(if (negative) text[1..] else text) orelse return null;
        if (parsed >= 1 << 53) return null;
        return if (negative) -@as(i64, @intCast(parsed)) else @intCast(parsed);
    }

    /// The next value if it is `true` or `false`; null for any other value.
    pub fn optionalBoolean(self: *Reader) Error!?bool {
        const kind = try self.peek();
        try self.skip();
        return switch (kind) {
            .yes => true,
            .no => false,
            else => null,
        };
    }

    /// Skips the next value, and returns its text.
    pub fn value(self: *Reader) Error![]const u8 {
        _ = self.skipSpace();
        const start = self.place;
        try self.skip();
        return self.text[start..self.place];
    }

    /// Skips the next value, which must be well-formed. Uses a single loop, because shoppers control the skipped values.
    pub fn skip(self: *Reader) Error!void {
        const outside = self.depth;
        // Whether each open level is an object, the innermost in the lowest bit.
        var objects: u64 = 0;
        while (true) {
            switch (self.skipSpace()) {
                '{', '[' => |bracket| {
                    try self.open(bracket);
                    objects = objects << 1 | @intFromBool(bracket == '{');
                    if (self.skipSpace() != closing(objects)) {
                        if (bracket == '{') try self.skipName();
                        continue;
                    }
                },
                else => try self.skipLeaf(),
            }
            while (self.depth != outside and self.skipSpace() == closing(objects)) : (objects >>= 1) self.close();
            if (self.depth == outside) return;
            try self.comma();
            if (objects & 1 == 1) try self.skipName();
        }
    }

    inline fn closing(objects: u64) u8 {
        return if (objects & 1 == 1) '}' else ']';
    }

    inline fn skipName(self: *Reader) Error!void {
        _ = try self.string();
        try self.expect(':');
    }

    inline fn skipLeaf(self: *Reader) Error!void {
        switch (self.byteAt(self.place)) {
            '"' => _ = try self.string(),
            't' => try self.word("true"),
            'f' => try self.word("false"),
            'n' => try self.word("null"),
            else => _ = try self.number(),
        }
    }

    /// Checks that only white space is left.
    pub fn end(self: *Reader) Error!void {
        _ = self.skipSpace();
        if (self.place != self.text.len) return error.Malformed;
    }

    /// Skips white space, and returns the next byte; 0 at the end.
    inline fn skipSpace(self: *Reader) u8 {
        while (self.place < self.text.len) : (self.place += 1) {
            const byte = self.text[self.place];
            if (byte > ' ' or (byte != ' ' and byte != '\n' and byte != '\r' and byte != '\t')) return byte;
        }
        return 0;
    }

    inline fn expect(self: *Reader, byte: u8) Error!void {
        if (self.skipSpace() != byte) return error.Malformed;
        self.place += 1;
    }

    fn open(self: *Reader, byte: u8) Error!void {
        try self.expect(byte);
        if (self.depth == deepest) return error.Malformed;
        self.depth += 1;
        try self.payValue();
    }

    fn comma(self: *Reader) Error!void {
        try self.expect(',');
        try self.payValue();
    }

    inline fn payValue(self: *Reader) Error!void {
        const budget = self.budget orelse return;
        if (!budget.take(budget_format.value)) return error.TooLarge;
    }

    fn close(self: *Reader) void {
        self.place += 1;
        self.depth -= 1;
    }

    fn word(self: *Reader, text: []const u8) Error!void {
        if (!std.mem.startsWith(u8, self.text[self.place..], text)) return error.Malformed;
        self.place += text.len;
    }

    /// The text of the next number.
    fn number(self: *Reader) Error![]const u8 {
        const start = self.place;
        var place = start;
        if (self.byteAt(place) == '-') place += 1;
        place = if (self.byteAt(place) == '0') place + 1 else try self.digitsEnd(place);
        if (self.byteAt(place) == '.') place = try self.digitsEnd(place + 1);
        if (self.byteAt(place) == 'e' or self.byteAt(place) == 'E') {
            place += 1;
            if (self.byteAt(place) == '+' or self.byteAt(place) == '-') place += 1;
            place = try self.digitsEnd(place);
        }
        self.place = place;
        return self.text[start..place];
    }

    /// The position after at least one digit.
    fn digitsEnd(self: *Reader, start: usize) Error!usize {
        var place = start;
        while (std.ascii.isDigit(self.byteAt(place))) place += 1;
        return if (place == start) error.Malformed else place;
    }

    /// Skips a text if it comes next. Compares up to eight bytes at a time.
    inline fn pass(self: *Reader, comptime text: []const u8) bool {
        const rest = self.text[self.place..];
        if (rest.len < text.len) return false;
        comptime var place = 0;
        inline while (place < text.len) {
            const left = text.len - place;
            const Word = if (left >= 8) u64 else if (left >= 4) u32 else if (left >= 2) u16 else u8;
            const wanted = comptime std.mem.readInt(Word, text[place..][0..@sizeOf(Word)], .little);
            if (std.mem.readInt(Word, rest[place..][0..@sizeOf(Word)], .little) != wanted) return false;
            place += @sizeOf(Word);
        }
        self.place += text.len;
        return true;
    }

    /// The byte at a position; 0 after the end.
    inline fn byteAt(self: *Reader, place: usize) u8 {
        return if (place < self.text.len) self.text[place] else 0;
    }
};

/// The members of an object. After each name, the value must be read or skipped.
pub const Members = struct {
    reader: *Reader,
    first: bool = true,

    /// The name of the next member; null after the last.
    pub fn next(self: *Members) Error!?[]const u8 {
        if (!try more(self.reader, '}', &self.first)) return null;
        const name = try self.reader.string();
        try self.reader.expect(':');
        return name;
    }

    /// Skips the name of the next member if it equals this one and has no white space around it, without reading a string.
    pub inline fn pass(self: *Members, comptime name: []const u8) bool {
        const text = "\"" ++ name ++ "\":";
        if (!(if (self.first) self.reader.pass(text) else self.reader.pass("," ++ text))) return false;
        self.first = false;
        return true;
    }
};

/// The members of an object that an enum names; others are skipped. The platform writes the fields of a query in the order of the
/// enum: these names are compared instead of read. In any other order, the same members are found.
pub fn Named(comptime Name: type) type {
    const names = @typeInfo(Name).@"enum".fields;
    return struct {
        members: Members,
        expected: usize = 0,

        const Self = @This();

        pub fn next(self: *Self) Error!?Name {
            switch (self.expected) {
                inline 0...names.len - 1 => |place| if (self.members.pass(names[place].name)) {
                    self.expected = place + 1;
                    return @enumFromInt(place);
                },
                else => {},
            }
            while (try self.members.next()) |text| {
                if (std.meta.stringToEnum(Name, text)) |name| {
                    self.expected = @as(usize, @intFromEnum(name)) + 1;
                    return name;
                }
                try self.members.reader.skip();
            }
            return null;
        }
    };
}

/// The elements of an array. Each must be read or skipped.
pub const Elements = struct {
    reader: *Reader,
    first: bool = true,

    pub fn next(self: *Elements) Error!bool {
        return more(self.reader, ']', &self.first);
    }
};

inline fn more(reader: *Reader, last: u8, first: *bool) Error!bool {
    const byte = reader.skipSpace();
    if (byte == last) {
        reader.close();
        return false;
    }
    if (!first.*) try reader.comma();
    first.* = false;
    return true;
}

/// The position of the next quotation mark, backslash or control character, or the end of the text. Examines eight bytes at a
/// time.
pub fn plainEnd(text: []const u8, start: usize) usize {
    var place = start;
    while (place + 8 <= text.len) : (place += 8) {
        const bytes = std.mem.readInt(u64, text[place..][0..8], .little);
        // The subtraction sets the highest bit of the lowest matching byte, and possibly of bytes above it.
        const quote = (bytes ^ every('"')) -% every(1);
        const backslash = (bytes ^ every('\\')) -% every(1);
        const found = (quote | backslash | (bytes -% every(0x20))) & ~bytes & every(0x80);
        if (found != 0) return place + @ctz(found) / 8;
    }
    while (place < text.len) : (place += 1) {
        const byte = text[place];
        if (byte == '"' or byte == '\\' or byte < 0x20) break;
    }
    return place;
}

/// The number of 32-byte pieces that are not ASCII; null when the text is not UTF-8. Skips ASCII one piece at a time.
fn utf8Pieces(text: []const u8) ?usize {
    const size = 32;
    var state: u8 = whole;
    var pieces: usize = 0;
    var place: usize = 0;
    while (place < text.len) : (place += size) {
        const rest = text[place..];
        if (rest.len >= size and isAscii(rest[0..size].*) and state == whole) continue;
        var bits: u8 = 0;
        for (rest[0..@min(size, rest.len)]) |byte| {
            bits |= byte;
            state = if (byte >= 0x80) after[state][byte & 0x7f] else if (state == whole) whole else broken;
        }
        pieces += bits >> 7;
    }
    return if (state == whole) pieces else null;
}

fn isAscii(bytes: [32]u8) bool {
    const words: [4]u64 = @bitCast(bytes);
    return (words[0] | words[1] | words[2] | words[3]) & every(0x80) == 0;
}

/// The states of a UTF-8 decoder: at a character boundary; one, two or three bytes missing; or, after four particular first
/// bytes, a restricted next byte, because overlong forms, surrogates, and numbers above the last character are not UTF-8.
const Utf8 = enum { whole, one, two, three, e0, ed, f0, f4, broken };
const whole = @intFromEnum(Utf8.whole);
const broken = @intFromEnum(Utf8.broken);

/// The next state, for each state and each byte that is not ASCII.
const after = table: {
    @setEvalBranchQuota(50_000);
    const states = std.enums.values(Utf8);
    var table: [states.len][128]u8 = undefined;
    for (states, &table) |state, *row| {
        for (row, 0x80..) |*next, byte| next.* = @intFromEnum(following(state, byte));
    }
    break :table table;
};

fn following(state: Utf8, byte: u8) Utf8 {
    const least: u8, const most: u8, const next: Utf8 = switch (state) {
        .whole => return switch (byte) {
            0xc2...0xdf => .one,
            0xe0 => .e0,
            0xe1...0xec, 0xee, 0xef => .two,
            0xed => .ed,
            0xf0 => .f0,
            0xf1...0xf3 => .three,
            0xf4 => .f4,
            else => .broken,
        },
        .one => .{ 0x80, 0xbf, .whole },
        .two => .{ 0x80, 0xbf, .one },
        .three => .{ 0x80, 0xbf, .two },
        .e0 => .{ 0xa0, 0xbf, .one },
        .ed => .{ 0x80, 0x9f, .one },
        .f0 => .{ 0x90, 0xbf, .two },
        .f4 => .{ 0x80, 0x8f, .two },
        .broken => return .broken,
    };
    return if (byte >= least and byte <= most) next else .broken;
}

/// The position of the first such byte, or the end of the text. Examines eight bytes at a time.
pub fn placeOf(text: []const u8, byte: u8) usize {
    var place: usize = 0;
    while (place + 8 <= text.len) : (place += 8) {
        const others = std.mem.readInt(u64, text[place..][0..8], .little) ^ every(byte);
        const found = (others -% every(1)) & ~others & every(0x80);
        if (found != 0) return place + @ctz(found) / 8;
    }
    while (place < text.len and text[place] != byte) place += 1;
    return place;
}

fn every(byte: u8) u64 {
    return @as(u64, 0x0101010101010101) * byte;
}

/// The string with its escapes replaced.
pub fn unescaped(string: Raw, arena: std.mem.Allocator) Error![]const u8 {
    const raw = string.text;
    if (string.escapes == 0) return raw;
    const text = try arena.alloc(u8, raw.len);
    var length: usize = 0;
    var place: usize = 0;
    while (place < raw.len) {
        if (raw[place] != '\\') {
            const count = copyPlain(text[length..], raw[place..]);
            length += count;
            place += count;
            continue;
        }
        if (place + 1 == raw.len) return error.Malformed;
        const character = simple_escapes[raw[place + 1]];
        if (character != 0) {
            text[length] = character;
            length += 1;
            place += 2;
        } else {
            const point = try unicode(raw, &place);
            length += std.unicode.utf8Encode(point, text[length..]) catch return error.Malformed;
        }
    }
    return text[0..length];
}

/// Copies the bytes up to the next backslash, eight at a time, and returns their number.
fn copyPlain(text: []u8, raw: []const u8) usize {
    var place: usize = 0;
    while (place + 8 <= @min(raw.len, text.len)) : (place += 8) {
        const bytes = std.mem.readInt(u64, raw[place..][0..8], .little);
        std.mem.writeInt(u64, text[place..][0..8], bytes, .little);
        const found = ((bytes ^ every('\\')) -% every(1)) & ~bytes & every(0x80);
        if (found != 0) return place + @ctz(found) / 8;
    }
    while (place < raw.len and raw[place] != '\\') : (place += 1) text[place] = raw[place];
    return place;
}

/// The character for an escape of one letter; 0 for other letters.
const simple_escapes = table: {
    var table = [_]u8{0} ** 256;
    for ("\"\\/bfnrt", "\"\\/\x08\x0c\n\r\t") |letter, character| table[letter] = character;
    break :table table;
};

/// The character for the escape `\u` at `place`, which is moved to its end. An unpaired surrogate is refused.
fn unicode(raw: []const u8, place: *usize) Error!u21 {
    const unit = try hexadecimal(raw, place);
    if (unit < 0xd800 or unit > 0xdfff) return unit;
    if (unit > 0xdbff) return error.Malformed;
    const low = try hexadecimal(raw, place);
    if (low < 0xdc00 or low > 0xdfff) return error.Malformed;
    return 0x10000 + (@as(u21, unit - 0xd800) << 10) + (low - 0xdc00);
}

/// The number in the escape `\u` at `place`.
fn hexadecimal(raw: []const u8, place: *usize) Error!u16 {
    const escape = raw[place.*..];
    if (escape.len < 6 or escape[0] != '\\' or escape[1] != 'u') return error.Malformed;
    var unit: u16 = 0;
    for (escape[2..6]) |digit| {
        const number = hexadecimal_digits[digit];
        if (number > 15) return error.Malformed;
        unit = unit << 4 | number;
    }
    place.* += 6;
    return unit;
}

/// The value of a hexadecimal digit; 16 for other bytes.
const hexadecimal_digits = table: {
    var table = [_]u8{16} ** 256;
    for ("0123456789abcdefABCDEF", 0..) |digit, place| table[digit] = if (place < 16) place else place - 6;
    break :table table;
};

/// Parses the text of a JSON value that is a whole number; null for any other value.
pub fn integer(text: []const u8) ?i64 {
    var buffer: [0]u8 = undefined;
    var none = std.heap.FixedBufferAllocator.init(&buffer);
    var reader = Reader.init(text, none.allocator()) catch return null;
    return reader.optionalInteger() catch null;
}
