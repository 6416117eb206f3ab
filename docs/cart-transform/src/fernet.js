/**
 * Fernet tokens (https://github.com/fernet/spec): AES-128-CBC, signed with HMAC-SHA256, in URL-safe base64. They carry the
 * time they were made, but no expiry: a token opens as long as one of the keys is the one that made it.
 */

import { AES } from "@stablelib/aes";
import { equal } from "@stablelib/constant-time";
import { HMAC } from "@stablelib/hmac";
import { SHA256 } from "@stablelib/sha256";

import { decodeBase64url } from "./base64url.js";

const VERSION = 0x80;
const BLOCK = 16;
/** Version (1 byte) and time (8 bytes) stand before the initialisation vector; the signature ends the token. */
const HEADER = 9;
const SIGNATURE = 32;
const SHORTEST = HEADER + BLOCK + BLOCK + SIGNATURE;

/** A secret key, ready to open any number of tokens. */
export class FernetKey {
  #signing;
  #encryption;

  /** @param {Uint8Array} secret 32 bytes: the signing key, then the encryption key */
  constructor(secret) {
    this.#signing = new HMAC(SHA256, secret.subarray(0, 16));
    this.#encryption = secret.subarray(16);
  }

  /**
   * The key that a text such as `bundlesvc discount key` prints; null when it is not a key.
   *
   * @param {unknown} text
   */
  static read(text) {
    const secret = typeof text === "string" ? decodeBase64url(text) : null;
    return secret?.length === 32 ? new FernetKey(secret) : null;
  }

  /**
   * What the bytes of a token say; null when this key did not make it. The signature is looked at first, so that nothing is
   * decrypted that somebody has changed.
   *
   * @param {Uint8Array} token
   * @returns {Uint8Array | null}
   */
  open(token) {
    const end = token.length - SIGNATURE;
    if (token.length < SHORTEST || token[0] !== VERSION || (end - HEADER) % BLOCK !== 0) {
      return null;
    }
    const signature = this.#signing.reset().update(token.subarray(0, end)).digest();
    if (!equal(signature, token.subarray(end))) {
      return null;
    }
    return withoutPadding(decryptCbc(this.#encryption, token.subarray(HEADER, end)));
  }
}

/**
 * What the first key that made the token finds in it; null when none of them did, or it is no token.
 *
 * @param {string} text
 * @param {readonly FernetKey[]} keys
 * @returns {Uint8Array | null}
 */
export function openToken(text, keys) {
  const token = decodeBase64url(text);
  if (!token) {
    return null;
  }
  for (const key of keys) {
    const opened = key.open(token);
    if (opened) {
      return opened;
    }
  }
  return null;
}

/** Cipher block chaining: each block is decrypted, then added to the block before it; the first block is the vector. */
function decryptCbc(key, blocks) {
  const cipher = new AES(key);
  const plain = new Uint8Array(blocks.length - BLOCK);
  for (let start = 0; start < plain.length; start += BLOCK) {
    const block = plain.subarray(start, start + BLOCK);
    cipher.decryptBlock(blocks.subarray(start + BLOCK, start + BLOCK + BLOCK), block);
    for (let place = 0; place < BLOCK; place++) {
      block[place] ^= blocks[start + place];
    }
  }
  return plain;
}

/** Without the padding of PKCS #7: so many bytes of that number at the end. */
function withoutPadding(plain) {
  const count = plain[plain.length - 1];
  const padding = plain.subarray(plain.length - count);
  return count >= 1 && count <= BLOCK && padding.every((byte) => byte === count)
    ? plain.subarray(0, plain.length - count)
    : null;
}
