//! Whole numbers in decimal digits. There are never enough digits to overflow, so the products wrap: WebAssembly has no cheap check
//! for the overflow of a product. Wrapping is defined behaviour.

/// Room for every number.
pub const Buffer = [20]u8;

/// No number of so many digits overflows.
const most = 18;

/// The number that at most eighteen digits write; null when the text is something else, or empty.
pub fn parse(text: []const u8) ?u64 {
    if (text.len == 0 or text.len > most) return null;
    var number: u64 = 0;
    for (text) |byte| {
        const digit = byte -% '0';
        if (digit > 9) return null;
        number = number *% 10 +% digit;
    }
    return number;
}

/// The digits of a number, at the end of the buffer.
pub fn write(buffer: *Buffer, number: u64) []const u8 {
    var left = number;
    var start: usize = buffer.len;
    while (start == buffer.len or left > 0) {
        start -= 1;
        buffer[start] = '0' + @as(u8, @intCast(left % 10));
        left /= 10;
    }
    return buffer[start..];
}
