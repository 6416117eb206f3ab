//! A cart as fetched by the input queries. Anyone may have changed its attributes.

const std = @import("std");
const amounts = @import("amounts.zig");
const budget_format = @import("budget.zig");
const json = @import("json.zig");
const token = @import("token.zig");
const units = @import("units.zig");

const day = 24 * 60 * 60;
const most_units = (1 << 31) - 1;
const most_keys = 16;
const limited_lines = 200;
const longest_unique = 64;

/// The property `_bundle_data`, parsed: it identifies the configured bundle that a line belongs to.
pub const Mark = struct { configured: u64, parent: u64, unique: []const u8 };

/// A line of the cart. `variant` is 0 for a product that was created for this cart.
pub const Line = struct {
    id: []const u8 = "",
    quantity: u64 = 0,
    price: amounts.Amount = 0,
    currency: []const u8 = "",
    variant: u64 = 0,
    /// The property `_bundle_data`, not unescaped; null when the line has none.
    data: ?[]const u8 = null,
    is_fee: bool = false,
    has_plan: bool = false,
    mark: ?Mark = null,

    pub fn amount(self: Line) u128 {
        return @as(u128, self.price) * self.quantity;
    }
};

/// Whether any line is bought with a selling plan.
pub fn hasPlan(lines: []const Line) bool {
    for (lines) |line| {
        if (line.has_plan) return true;
    }
    return false;
}

/// The configuration that the app wrote into the metafield.
pub const Config = struct {
    /// Null when the metafield is missing, or does not name a shop.
    shop: ?[]const u8 = null,
    keys: []const token.Key = &.{},
    max_age_days: i64 = 30,
};

pub const Input = struct {
    lines: []Line,
    /// The cart attribute `_bundles`; empty when the cart has none.
    bundles: json.Raw,
    /// The cost of reading the input, in instructions.
    cost: u64,
    /// The currency, which is the same for all lines.
    currency: []const u8,
    /// The country of the buyer.
    country: []const u8,
    /// Units of the cart's currency per unit of the shop's currency, in units of 10^-12.
    rate: u128,
    /// The beginning of today in the shop's time zone, read as UTC, in seconds since 1970.
    today: i64,
    config: Config,
    /// Whether the discount that runs the function may discount products.
    discounts_products: bool,

    /// Scales a limit for carts of up to 200 lines: above that, the platform's limits grow in proportion, and so do ours.
    pub fn scaled(self: Input, limit: u64) u64 {
        return limit * @max(limited_lines, self.lines.len) / limited_lines;
    }
};

const Fields = struct {
    lines: ?[]Line = null,
    bundles: json.Raw = .{},
    rate: ?u128 = null,
    country: ?[]const u8 = null,
    today: ?i64 = null,
    config: Config = .{},
    discounts_products: bool = false,
};

/// Reads the input. It is malformed unless everything that the queries fetch is present. `owner` is the object with the
/// metafield.
pub fn read(text: []const u8, owner: []const u8, arena: std.mem.Allocator) json.Error!Input {
    var reader = try json.Reader.init(text, arena);
    var fields: Fields = .{};
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "cart")) {
            try readCart(&reader, &fields, arena);
        } else if (std.mem.eql(u8, name, "presentmentCurrencyRate")) {
            fields.rate = amounts.parseRate(try reader.optionalString() orelse return error.Malformed);
        } else if (std.mem.eql(u8, name, "localization")) {
            const country = try readPath(&reader, &.{ "country", "isoCode" }) orelse return error.Malformed;
            fields.country = country.text;
        } else if (std.mem.eql(u8, name, "shop")) {
            const date = try readPath(&reader, &.{ "localTime", "date" }) orelse return error.Malformed;
            fields.today = parseDate(date.text);
        } else if (std.mem.eql(u8, name, owner)) {
            try readOwner(&reader, &fields, arena);
        } else try reader.skip();
    }
    try reader.end();
    const lines = fields.lines orelse return error.Malformed;
    return .{
        .lines = lines,
        .bundles = fields.bundles,
        .cost = budget_format.ofInput(reader, lines.len, fields.config.keys.len),
        .currency = try currencyOf(lines),
        .country = fields.country orelse return error.Malformed,
        .rate = fields.rate orelse return error.Malformed,
        .today = fields.today orelse return error.Malformed,
        .config = fields.config,
        .discounts_products = fields.discounts_products,
    };
}

fn readCart(reader: *json.Reader, fields: *Fields, arena: std.mem.Allocator) json.Error!void {
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "bundles")) {
            fields.bundles = try readPath(reader, &.{"value"}) orelse .{};
        } else if (std.mem.eql(u8, name, "lines")) {
            fields.lines = try readLines(reader, arena);
        } else try reader.skip();
    }
}

fn readLines(reader: *json.Reader, arena: std.mem.Allocator) json.Error![]Line {
    var lines: std.ArrayList(Line) = .empty;
    var elements = try reader.array();
    while (try elements.next()) {
        const line = try lines.addOne(arena);
        line.* = .{};
        try readLine(reader, line);
        line.mark = if (lines.items.len > 1) markAfter(&lines.items[lines.items.len - 2], line) else readMark(line.data);
    }
    return lines.items;
}

/// The mark of a line. All lines of a bundle have the same text, so it is parsed only once.
fn markAfter(before: *const Line, line: *const Line) ?Mark {
    const text = line.data orelse return null;
    return if (std.mem.eql(u8, before.data orelse "", text)) before.mark else readMark(text);
}

/// The fields that the queries fetch of a line, in order.
const LineField = enum { id, quantity, bundle, fee, cost, sellingPlanAllocation, merchandise };

fn readLine(reader: *json.Reader, line: *Line) json.Error!void {
    var members = try reader.named(LineField);
    while (try members.next()) |field| switch (field) {
        .id => line.id = try reader.string(),
        .quantity => {
            const quantity = try reader.optionalInteger() orelse return error.Malformed;
            if (quantity < 1 or quantity > most_units) return error.Malformed;
            line.quantity = @intCast(quantity);
        },
        .bundle => {
            const present = try reader.peek() != .nothing;
            const value = try readPath(reader, &.{"value"}) orelse json.Raw{};
            line.data = if (present) value.text else null;
        },
        .fee => line.is_fee = try isPresent(reader, &.{"value"}),
        .cost => try readCost(reader, line),
        .sellingPlanAllocation => line.has_plan = try isPresent(reader, &.{ "sellingPlan", "id" }),
        .merchandise => line.variant = lastId((try readPath(reader, &.{"id"}) orelse json.Raw{}).text),
    };
    if (line.quantity == 0) return error.Malformed;
}

fn readCost(reader: *json.Reader, line: *Line) json.Error!void {
    var members = try reader.named(enum { amountPerQuantity });
    while (try members.next()) |_| try readPrice(reader, line);
}

fn readPrice(reader: *json.Reader, line: *Line) json.Error!void {
    var members = try reader.named(enum { amount, currencyCode });
    while (try members.next()) |field| switch (field) {
        .amount => line.price = amounts.parse(try reader.string()) orelse return error.Malformed,
        .currencyCode => line.currency = try reader.string(),
    };
}

fn currencyOf(lines: []const Line) json.Error![]const u8 {
    if (lines.len == 0) return "";
    for (lines) |line| {
        if (!std.mem.eql(u8, line.currency, lines[0].currency)) return error.Malformed;
    }
    return lines[0].currency;
}

/// Whether the next value is not null. `path` contains the fields that the queries fetch of it.
fn isPresent(reader: *json.Reader, comptime path: []const []const u8) json.Error!bool {
    const kind = try reader.peek();
    _ = try readPath(reader, path);
    return kind != .nothing;
}

/// The string at a path of members in the next value; null when there is none. It is not unescaped: shoppers could write so many
/// escapes that replacing them takes too long, and few of these strings need it.
fn readPath(reader: *json.Reader, comptime path: []const []const u8) json.Error!?json.Raw {
    const kind = try reader.peek();
    if (path.len == 0 and kind == .string) return try reader.rawString();
    if (path.len == 0 or kind != .object) {
        try reader.skip();
        return null;
    }
    var found: ?json.Raw = null;
    var members = try reader.object();
    if (members.pass(path[0])) found = try readPath(reader, path[1..]);
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, path[0])) found = try readPath(reader, path[1..]) else try reader.skip();
    }
    return found;
}

/// The number at the end of a global id; 0 when there is none.
fn lastId(text: []const u8) u64 {
    const start = if (std.mem.lastIndexOfScalar(u8, text, '/')) |slash| slash + 1 else 0;
    return units.parseId(text[start..]) orelse 0;
}

/// Parses `<configured bundle>#<parent variant>#<unique id>`; null when the text has another form. A valid mark contains no
/// escapes.
fn readMark(data: ?[]const u8) ?Mark {
    const text = data orelse return null;
    const first = cut(text) orelse return null;
    const second = cut(first.after) orelse return null;
    const configured = units.parseId(first.before) orelse return null;
    const parent = units.parseId(second.before) orelse return null;
    const unique = second.after;
    if (unique.len == 0 or unique.len > longest_unique) return null;
    for (unique) |byte| {
        if (!std.ascii.isAlphanumeric(byte)) return null;
    }
    return .{ .configured = configured, .parent = parent, .unique = unique };
}

/// Splits a text at its first "#"; null when it has none.
fn cut(text: []const u8) ?struct { before: []const u8, after: []const u8 } {
    const place = json.placeOf(text, '#');
    return if (place == text.len) null else .{ .before = text[0..place], .after = text[place + 1 ..] };
}

fn readOwner(reader: *json.Reader, fields: *Fields, arena: std.mem.Allocator) json.Error!void {
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "metafield")) {
            const text = try readPath(reader, &.{"value"}) orelse continue;
            fields.config = readConfig(try json.unescaped(text, arena), arena) catch |failure| switch (failure) {
                error.Malformed => .{},
                error.TooLarge, error.OutOfMemory => return failure,
            };
        } else if (std.mem.eql(u8, name, "discountClasses")) {
            var elements = try reader.array();
            while (try elements.next()) {
                const class = try reader.optionalString() orelse continue;
                if (std.mem.eql(u8, class, "PRODUCT")) fields.discounts_products = true;
            }
        } else try reader.skip();
    }
}

fn readConfig(text: []const u8, arena: std.mem.Allocator) json.Error!Config {
    var config: Config = .{};
    var reader = json.Reader.ofString(text, arena);
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "shop")) {
            config.shop = try reader.optionalString();
        } else if (std.mem.eql(u8, name, "keys")) {
            config.keys = try readKeys(&reader, arena);
        } else if (std.mem.eql(u8, name, "maxAgeDays")) {
            const days = try reader.optionalInteger() orelse 0;
            if (days > 0) config.max_age_days = days;
        } else try reader.skip();
    }
    try reader.end();
    return config;
}

fn readKeys(reader: *json.Reader, arena: std.mem.Allocator) json.Error![]const token.Key {
    var keys: std.ArrayList(token.Key) = .empty;
    if (try reader.peek() != .array) {
        try reader.skip();
        return &.{};
    }
    var elements = try reader.array();
    while (try elements.next()) {
        const key = token.Key.parse(try reader.optionalString() orelse continue) orelse continue;
        if (keys.items.len < most_keys) try keys.append(arena, key);
    }
    return keys.items;
}

/// Parses a date such as "2027-01-15". Returns its beginning in seconds since 1970; null when the text is not a valid date.
fn parseDate(text: []const u8) ?i64 {
    if (text.len != 10 or text[4] != '-' or text[7] != '-') return null;
    const year = std.fmt.parseInt(u16, text[0..4], 10) catch return null;
    const month = std.fmt.parseInt(u8, text[5..7], 10) catch return null;
    const of_month = std.fmt.parseInt(u8, text[8..10], 10) catch return null;
    if (year < 1970 or month < 1 or month > 12 or of_month < 1 or of_month > 31) return null;
    return daysSince1970(year, month, of_month) * day;
}

/// The number of days since 1970 in the Gregorian calendar, computed with years that begin in March.
fn daysSince1970(year: i64, month: i64, of_month: i64) i64 {
    const shifted = if (month > 2) year else year - 1;
    const of_year = @divFloor(153 * (month + (if (month > 2) @as(i64, -3) else 9)) + 2, 5) + of_month - 1;
    return shifted * 365 + @divFloor(shifted, 4) - @divFloor(shifted, 100) + @divFloor(shifted, 400) + of_year - 719468;
}
