//! The claims of a discount string (docs/discount-string.md): the service's promise.

const std = @import("std");
const amounts = @import("amounts.zig");
const json = @import("json.zig");
const units = @import("units.zig");

pub const Claims = struct {
    shop: []const u8,
    bundle: i64,
    configured: i64,
    original: amounts.Amount,
    discounted: amounts.Amount,
    currency: []const u8,
    /// Null in version 2, which has no terms.
    terms: ?Terms,
    variants: units.Promise,
    fees: units.Promise,
    /// The reduction by the shopper's subscription, in percent; null without one.
    subscription: ?amounts.Amount,
    unique: []const u8,
    is_test: bool,
    made_at: i64,
};

/// The terms on which a promise is valid.
pub const Terms = struct {
    /// The variant that the lines are merged into; 0 for a bundle whose lines are not merged.
    parent: i64,
    market: Market,
    /// The percentage that may be taken off whatever the lines cost; null when the promise depends on the market's prices.
    anywhere: ?amounts.Amount,
};

/// The price that was promised in a market, in its currency. Without a country it is the price in the shop's currency, which is
/// not valid in the countries that the bundle's conditions name.
pub const Market = struct {
    country: ?[]const u8,
    excluded: []const []const u8,
    currency: []const u8,
    original: amounts.Amount,
    discounted: amounts.Amount,
};

const unbound_version = 2;
const newest_version = 3;
const most_units = 1_000_000;

/// The claims as found in the JSON; null when a claim is missing or of another kind.
const Fields = struct {
    v: ?i64 = null,
    shop: ?[]const u8 = null,
    bundle: ?i64 = null,
    configured: ?i64 = null,
    original: ?amounts.Amount = null,
    discounted: ?amounts.Amount = null,
    currency: ?[]const u8 = null,
    parent: ?i64 = null,
    value: ?amounts.Amount = null,
    market: ?Market = null,
    anywhere: ?bool = null,
    variants: ?units.Promise = null,
    fees: ?units.Promise = null,
    subscription: ?Subscription = .none,
    unique: ?[]const u8 = null,
    @"test": ?bool = null,
    iat: ?i64 = null,
};

/// Reads claims. Returns null when the version is unknown, or a claim is missing or malformed.
pub fn read(text: []const u8, arena: std.mem.Allocator) error{OutOfMemory}!?Claims {
    const fields = readFields(text, arena) catch |failure| switch (failure) {
        error.Malformed, error.TooLarge => return null,
        error.OutOfMemory => return error.OutOfMemory,
    };
    const version = fields.v orelse return null;
    if (version != unbound_version and version != newest_version) return null;
    return .{
        .shop = fields.shop orelse return null,
        .bundle = fields.bundle orelse return null,
        .configured = fields.configured orelse return null,
        .original = fields.original orelse return null,
        .discounted = fields.discounted orelse return null,
        .currency = fields.currency orelse return null,
        .terms = if (version == unbound_version) null else termsOf(fields) orelse return null,
        .variants = fields.variants orelse return null,
        .fees = fields.fees orelse return null,
        .subscription = switch (fields.subscription orelse return null) {
            .none => null,
            .percentage => |percentage| percentage,
        },
        .unique = fields.unique orelse return null,
        .is_test = fields.@"test" orelse return null,
        .made_at = fields.iat orelse return null,
    };
}

fn termsOf(fields: Fields) ?Terms {
    const value = fields.value orelse return null;
    const anywhere = fields.anywhere orelse return null;
    if (anywhere and value > amounts.hundred) return null;
    return .{
        .parent = fields.parent orelse return null,
        .market = fields.market orelse return null,
        .anywhere = if (anywhere) value else null,
    };
}

fn readFields(text: []const u8, arena: std.mem.Allocator) json.Error!Fields {
    var reader = try json.Reader.init(text, arena);
    var fields: Fields = .{};
    var members = try reader.named(std.meta.FieldEnum(Fields));
    while (try members.next()) |name| switch (name) {
        inline else => |field| {
            const claim = &@field(fields, @tagName(field));
            claim.* = try readField(@tagName(field), @TypeOf(claim.*), &reader, arena);
        },
    };
    try reader.end();
    return fields;
}

fn readField(comptime name: []const u8, comptime Field: type, reader: *json.Reader, arena: std.mem.Allocator) json.Error!Field {
    if (comptime std.mem.eql(u8, name, "parent")) return readParent(reader);
    return switch (Field) {
        ?i64 => reader.optionalInteger(),
        ?[]const u8 => reader.optionalString(),
        ?bool => reader.optionalBoolean(),
        ?amounts.Amount => readAmount(reader),
        ?units.Promise => readPromise(reader, arena),
        ?Market => readMarket(reader, arena),
        ?Subscription => readSubscription(reader),
        else => @compileError("a claim of an unknown kind"),
    };
}

fn readAmount(reader: *json.Reader) json.Error!?amounts.Amount {
    return amounts.parse(try reader.optionalString() orelse return null);
}

/// Reads the parent variant: 0 for null.
fn readParent(reader: *json.Reader) json.Error!?i64 {
    if (try reader.peek() != .nothing) return reader.optionalInteger();
    try reader.skip();
    return 0;
}

/// Reads a market: null when a member is missing or of another kind.
fn readMarket(reader: *json.Reader, arena: std.mem.Allocator) json.Error!?Market {
    if (try reader.peek() != .object) {
        try reader.skip();
        return null;
    }
    var country: ?Country = null;
    var excluded: ?[]const []const u8 = &.{};
    var currency: ?[]const u8 = null;
    var original: ?i64 = null;
    var discounted: ?i64 = null;
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "country")) {
            country = try readCountry(reader);
        } else if (std.mem.eql(u8, name, "except")) {
            excluded = try readCountries(reader, arena);
        } else if (std.mem.eql(u8, name, "currency")) {
            currency = try reader.optionalString();
        } else if (std.mem.eql(u8, name, "original")) {
            original = try reader.optionalInteger();
        } else if (std.mem.eql(u8, name, "discounted")) {
            discounted = try reader.optionalInteger();
        } else try reader.skip();
    }
    const minor = amounts.minorUnit(currency orelse return null);
    return .{
        .country = switch (country orelse return null) {
            .none => null,
            .code => |code| code,
        },
        .excluded = excluded orelse return null,
        .currency = currency.?,
        .original = amounts.ofMinorUnits(original orelse return null, minor) orelse return null,
        .discounted = amounts.ofMinorUnits(discounted orelse return null, minor) orelse return null,
    };
}

const Country = union(enum) { none, code: []const u8 };

fn readCountry(reader: *json.Reader) json.Error!?Country {
    if (try reader.peek() != .nothing) return .{ .code = try reader.optionalString() orelse return null };
    try reader.skip();
    return .none;
}

/// Reads a list of countries: null for anything but a list of strings.
fn readCountries(reader: *json.Reader, arena: std.mem.Allocator) json.Error!?[]const []const u8 {
    if (try reader.peek() != .array) {
        try reader.skip();
        return null;
    }
    var list: std.ArrayList([]const u8) = .empty;
    var valid = true;
    var elements = try reader.array();
    while (try elements.next()) {
        if (try reader.optionalString()) |country| try list.append(arena, country) else valid = false;
    }
    return if (valid) list.items else null;
}

const Subscription = union(enum) { none, percentage: amounts.Amount };

fn readSubscription(reader: *json.Reader) json.Error!?Subscription {
    const kind = try reader.peek();
    if (kind != .object) {
        try reader.skip();
        return if (kind == .nothing) .none else null;
    }
    var percentage: ?amounts.Amount = null;
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "percentage")) percentage = try readAmount(reader) else try reader.skip();
    }
    const found = percentage orelse return null;
    return if (found <= amounts.hundred) .{ .percentage = found } else null;
}

fn readPromise(reader: *json.Reader, arena: std.mem.Allocator) json.Error!?units.Promise {
    switch (try reader.peek()) {
        .string => return .{ .digest = try reader.string() },
        .object => {},
        else => {
            try reader.skip();
            return null;
        },
    }
    var list: std.ArrayList(units.Unit) = .empty;
    var valid = true;
    var members = try reader.object();
    while (try members.next()) |name| {
        const variant = units.parseId(name);
        const count = try reader.optionalInteger() orelse 0;
        if (variant == null or count < 1 or count > most_units) {
            valid = false;
        } else {
            try list.append(arena, .{ .variant = variant.?, .count = @intCast(count) });
        }
    }
    return if (valid) .{ .units = units.summed(list.items) } else null;
}
