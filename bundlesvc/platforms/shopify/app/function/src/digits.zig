//! Whole numbers in decimal digits. There are never enough digits for an overflow, so wrapping products are used: WebAssembly has
//! no cheap overflow check for products. Wrapping is defined behaviour.

/// Large enough for every number.
pub const Buffer = [20]u8;

/// The most digits with which no number can overflow.
const most = 18;

/// Parses a number of up to eighteen digits; null when the text is empty or is not a number.
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

/// Writes the digits of a number at the end of the buffer, and returns them.
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
