//! The interface of the platform for functions: only standard input, output and error of WASI.

const Slice = extern struct { start: [*]const u8, length: usize };
const Buffer = extern struct { start: [*]u8, length: usize };

extern "wasi_snapshot_preview1" fn fd_read(file: u32, buffers: *const Buffer, count: u32, read: *usize) u16;
extern "wasi_snapshot_preview1" fn fd_write(file: u32, slices: *const Slice, count: u32, written: *usize) u16;
extern "wasi_snapshot_preview1" fn proc_exit(status: u32) noreturn;

pub const exit = proc_exit;

/// Reads all of standard input; null when it is longer than the buffer, or cannot be read.
pub fn readInput(buffer: []u8) ?[]const u8 {
    var length: usize = 0;
    while (length < buffer.len) {
        const rest = buffer[length..];
        var count: usize = 0;
        if (fd_read(0, &.{ .start = rest.ptr, .length = rest.len }, 1, &count) != 0) return null;
        if (count == 0) return buffer[0..length];
        length += @min(count, rest.len);
    }
    return null;
}

pub fn writeOutput(text: []const u8) void {
    write(1, text);
}

/// Writes one line to the log.
pub fn writeLog(text: []const u8) void {
    write(2, text);
}

fn write(file: u32, text: []const u8) void {
    var rest = text;
    while (rest.len > 0) {
        var count: usize = 0;
        if (fd_write(file, &.{ .start = rest.ptr, .length = rest.len }, 1, &count) != 0 or count == 0) return;
        rest = rest[@min(count, rest.len)..];
    }
}
