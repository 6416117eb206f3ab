/** Base64 of the URL-safe alphabet (RFC 4648, section 5), without `atob` or `Buffer`. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The six bits of each character, by its code; a character of no bits is 64. */
const SIX_BITS = new Uint8Array(128).fill(64);
for (let bits = 0; bits < 64; bits++) {
  SIX_BITS[ALPHABET.charCodeAt(bits)] = bits;
}

/**
 * The bytes of a text, padded with "=" or not; null when it is no such text.
 *
 * @param {string} text
 * @returns {Uint8Array | null}
 */
export function decodeBase64url(text) {
  const length = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  if (length % 4 === 1 || (length < text.length && text.length % 4 !== 0)) {
    return null;
  }
  const bytes = new Uint8Array((length * 3) >> 2);
  let filled = 0;
  let waiting = 0;
  let bits = 0;
  for (let place = 0; place < length; place++) {
    const six = SIX_BITS[text.charCodeAt(place)];
    if (!(six < 64)) {
      return null;
    }
    waiting = (waiting << 6) | six;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[filled++] = waiting >> bits;
      waiting &= (1 << bits) - 1;
    }
  }
  return bytes;
}
