//! A cart as the input queries fetch it. Anyone may have changed its attributes.

const std = @import("std");
const amounts = @import("amounts.zig");
const json = @import("json.zig");
const token = @import("token.zig");
const units = @import("units.zig");

const day = 24 * 60 * 60;
const most_units = (1 << 31) - 1;
const most_keys = 16;
const limited_lines = 200;

/// The property `_bundle_data`: the configured bundle that a line belongs to.
pub const Mark = struct { configured: u64, parent: u64, unique: []const u8 };

/// A line of the cart. `variant` is 0 for a product that was made for this cart.
pub const Line = struct {
    id: []const u8 = "",
    quantity: u64 = 0,
    price: amounts.Amount = 0,
    currency: []const u8 = "",
    variant: u64 = 0,
    /// The text of `_bundle_data`; null when the line has none.
    data: ?[]const u8 = null,
    is_fee: bool = false,
    has_plan: bool = false,
    mark: ?Mark = null,

    pub fn amount(self: Line) u128 {
        return @as(u128, self.price) * self.quantity;
    }
};

/// What the app wrote into the metafield.
pub const Config = struct {
    /// Null when the metafield is missing, or names none.
    shop: ?[]const u8 = null,
    keys: []const token.Key = &.{},
    max_age_days: i64 = 30,
    check_market_prices: bool = false,
};

pub const Input = struct {
    lines: []Line,
    /// The cart attribute `_bundles`; empty when the cart has none.
    bundles: []const u8,
    /// The one currency of all lines.
    currency: []const u8,
    /// Of the cart's currency per shop currency, in units of 10^-12.
    rate: u128,
    /// The beginning of today in the shop's time zone, read as UTC, in seconds since 1970.
    today: i64,
    config: Config,
    /// Whether the discount that runs the function may discount products.
    discounts_products: bool,

    /// A limit of carts of up to 200 lines: above, the platform's limits grow in proportion, and so does ours.
    pub fn scaled(self: Input, limit: usize) usize {
        return limit * @max(limited_lines, self.lines.len) / limited_lines;
    }
};

const Fields = struct {
    lines: ?[]Line = null,
    bundles: []const u8 = "",
    rate: ?u128 = null,
    today: ?i64 = null,
    config: Config = .{},
    discounts_products: bool = false,
};

/// Everything the queries fetch must be there, or the input is malformed. `owner` is what has the metafield.
pub fn read(text: []const u8, owner: []const u8, arena: std.mem.Allocator) json.Error!Input {
    var reader = try json.Reader.init(text, arena);
    var fields: Fields = .{};
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "cart")) {
            try readCart(&reader, &fields, arena);
        } else if (std.mem.eql(u8, name, "presentmentCurrencyRate")) {
            fields.rate = amounts.parseRate(try reader.optionalString() orelse return error.Malformed);
        } else if (std.mem.eql(u8, name, "shop")) {
            const date = try readPath(&reader, &.{ "localTime", "date" });
            fields.today = parseDate(date orelse return error.Malformed);
        } else if (std.mem.eql(u8, name, owner)) {
            try readOwner(&reader, &fields, arena);
        } else try reader.skip();
    }
    try reader.end();
    const lines = fields.lines orelse return error.Malformed;
    return .{
        .lines = lines,
        .bundles = fields.bundles,
        .currency = try currencyOf(lines),
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
            fields.bundles = try readPath(reader, &.{"value"}) orelse "";
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

/// All lines of a bundle have the same text: it is parsed once.
fn markAfter(before: *const Line, line: *const Line) ?Mark {
    const text = line.data orelse return null;
    return if (std.mem.eql(u8, before.data orelse "", text)) before.mark else readMark(text);
}

/// What the queries fetch of a line, in their order.
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
            const text = try readPath(reader, &.{"value"});
            line.data = if (present) text orelse "" else null;
        },
        .fee => line.is_fee = try isPresent(reader, &.{"value"}),
        .cost => try readCost(reader, line),
        .sellingPlanAllocation => line.has_plan = try isPresent(reader, &.{ "sellingPlan", "id" }),
        .merchandise => line.variant = lastId(try readPath(reader, &.{"id"}) orelse ""),
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

/// Whether the value that comes next is not null; `path` is what the queries fetch of it.
fn isPresent(reader: *json.Reader, comptime path: []const []const u8) json.Error!bool {
    const kind = try reader.peek();
    _ = try readPath(reader, path);
    return kind != .nothing;
}

/// The string at a path of members of the value that comes next; null when there is none.
fn readPath(reader: *json.Reader, comptime path: []const []const u8) json.Error!?[]const u8 {
    if (path.len == 0) return reader.optionalString();
    if (try reader.peek() != .object) {
        try reader.skip();
        return null;
    }
    var found: ?[]const u8 = null;
    var members = try reader.object();
    if (members.pass(path[0])) found = try readPath(reader, path[1..]);
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, path[0])) found = try readPath(reader, path[1..]) else try reader.skip();
    }
    return found;
}

/// The number of a global id; 0 when it has none.
fn lastId(text: []const u8) u64 {
    const start = if (std.mem.lastIndexOfScalar(u8, text, '/')) |slash| slash + 1 else 0;
    return units.parseId(text[start..]) orelse 0;
}

/// `<configured bundle>#<parent variant>#<unique id>`; null when the text has another form.
fn readMark(data: ?[]const u8) ?Mark {
    const text = data orelse return null;
    const first = std.mem.indexOfScalar(u8, text, '#') orelse return null;
    const second = std.mem.indexOfScalarPos(u8, text, first + 1, '#') orelse return null;
    const configured = units.parseId(text[0..first]) orelse return null;
    const parent = units.parseId(text[first + 1 .. second]) orelse return null;
    const unique = text[second + 1 ..];
    if (unique.len == 0 or std.mem.indexOfScalar(u8, unique, '#') != null) return null;
    return .{ .configured = configured, .parent = parent, .unique = unique };
}

fn readOwner(reader: *json.Reader, fields: *Fields, arena: std.mem.Allocator) json.Error!void {
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "metafield")) {
            const text = try readPath(reader, &.{"value"}) orelse continue;
            fields.config = readConfig(text, arena) catch |failure| switch (failure) {
                error.Malformed => .{},
                error.OutOfMemory => return failure,
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
    var reader = try json.Reader.init(text, arena);
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "shop")) {
            config.shop = try reader.optionalString();
        } else if (std.mem.eql(u8, name, "keys")) {
            config.keys = try readKeys(&reader, arena);
        } else if (std.mem.eql(u8, name, "maxAgeDays")) {
            const days = try reader.optionalInteger() orelse 0;
            if (days > 0) config.max_age_days = days;
        } else if (std.mem.eql(u8, name, "checkMarketPrices")) {
            config.check_market_prices = try reader.optionalBoolean() orelse false;
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

/// The beginning of a day such as "2027-01-15", in seconds since 1970; null when the text is no such date.
fn parseDate(text: []const u8) ?i64 {
    if (text.len != 10 or text[4] != '-' or text[7] != '-') return null;
    const year = std.fmt.parseInt(u16, text[0..4], 10) catch return null;
    const month = std.fmt.parseInt(u8, text[5..7], 10) catch return null;
    const of_month = std.fmt.parseInt(u8, text[8..10], 10) catch return null;
    if (year < 1970 or month < 1 or month > 12 or of_month < 1 or of_month > 31) return null;
    return daysSince1970(year, month, of_month) * day;
}

/// Days of the Gregorian calendar, counted in years that begin in March.
fn daysSince1970(year: i64, month: i64, of_month: i64) i64 {
    const shifted = if (month > 2) year else year - 1;
    const of_year = @divFloor(153 * (month + (if (month > 2) @as(i64, -3) else 9)) + 2, 5) + of_month - 1;
    return shifted * 365 + @divFloor(shifted, 4) - @divFloor(shifted, 100) + @divFloor(shifted, 400) + of_year - 719468;
}
