//! The claims of a discount string (docs/discount-string.md): what the service promised.

const std = @import("std");
const amounts = @import("amounts.zig");
const json = @import("json.zig");
const units = @import("units.zig");

/// `fees` and `subscription` are missing in version 1.
pub const Claims = struct {
    shop: []const u8,
    bundle: i64,
    configured: i64,
    original: amounts.Amount,
    discounted: amounts.Amount,
    currency: []const u8,
    variants: units.Promise,
    fees: units.Promise,
    /// What the shopper's subscription takes off, in percent; 0 without one.
    subscription: amounts.Amount,
    unique: []const u8,
    is_test: bool,
    made_at: i64,
};

const first_version = 1;
const newest_version = 2;
const most_units = 1_000_000;

/// The claims as they stand in the JSON; null is missing, or of another kind.
const Fields = struct {
    v: ?i64 = null,
    shop: ?[]const u8 = null,
    bundle: ?i64 = null,
    configured: ?i64 = null,
    original: ?amounts.Amount = null,
    discounted: ?amounts.Amount = null,
    currency: ?[]const u8 = null,
    variants: ?units.Promise = null,
    fees: ?units.Promise = null,
    subscription: ?amounts.Amount = 0,
    unique: ?[]const u8 = null,
    @"test": ?bool = null,
    iat: ?i64 = null,
};

/// Null when the version is unknown, or a claim is missing or malformed.
pub fn read(text: []const u8, arena: std.mem.Allocator) error{OutOfMemory}!?Claims {
    const fields = readFields(text, arena) catch |failure| switch (failure) {
        error.Malformed, error.TooLarge => return null,
        error.OutOfMemory => return error.OutOfMemory,
    };
    const version = fields.v orelse return null;
    if (version != first_version and version != newest_version) return null;
    return .{
        .shop = fields.shop orelse return null,
        .bundle = fields.bundle orelse return null,
        .configured = fields.configured orelse return null,
        .original = fields.original orelse return null,
        .discounted = fields.discounted orelse return null,
        .currency = fields.currency orelse return null,
        .variants = fields.variants orelse return null,
        .fees = if (version == first_version) .none else fields.fees orelse return null,
        .subscription = if (version == first_version) 0 else fields.subscription orelse return null,
        .unique = fields.unique orelse return null,
        .is_test = fields.@"test" orelse return null,
        .made_at = fields.iat orelse return null,
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
    if (comptime std.mem.eql(u8, name, "subscription")) return readSubscription(reader);
    return switch (Field) {
        ?i64 => reader.optionalInteger(),
        ?[]const u8 => reader.optionalString(),
        ?bool => reader.optionalBoolean(),
        ?amounts.Amount => readAmount(reader),
        ?units.Promise => readPromise(reader, arena),
        else => @compileError("a claim of an unknown kind"),
    };
}

fn readAmount(reader: *json.Reader) json.Error!?amounts.Amount {
    return amounts.parse(try reader.optionalString() orelse return null);
}

/// The percentage of the subscription; 0 for null.
fn readSubscription(reader: *json.Reader) json.Error!?amounts.Amount {
    const kind = try reader.peek();
    if (kind != .object) {
        try reader.skip();
        return if (kind == .nothing) 0 else null;
    }
    var percentage: ?amounts.Amount = null;
    var members = try reader.object();
    while (try members.next()) |name| {
        if (std.mem.eql(u8, name, "percentage")) percentage = try readAmount(reader) else try reader.skip();
    }
    return if ((percentage orelse return null) <= 100 * amounts.one) percentage else null;
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
