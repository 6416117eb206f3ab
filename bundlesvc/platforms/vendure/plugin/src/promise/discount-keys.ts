import { createDecipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The most characters of a token. A longer text is not a discount string: the service's own have at most half as many. */
export const LONGEST = 4096;
const BASE64 = /^[A-Za-z0-9_-]+={0,2}$/;
const VERSION = 0x80;
const BLOCK = 16;
/** Version (1 byte) and time (8 bytes) precede the initialisation vector. */
const HEADER = 9;
const SIGNATURE = 32;
const KEY = 32;
const SHORTEST = HEADER + 2 * BLOCK + SIGNATURE;
const NAME_DIGITS = 8;

/**
 * The keys printed by `bundlesvc discount key`, in any order. They decrypt discount strings, which are Fernet tokens
 * (https://github.com/fernet/spec): AES-128-CBC, signed with HMAC-SHA256, in URL-safe base64.
 */
export class DiscountKeys {
  private readonly keys: readonly Buffer[];

  /** Throws an error for a text that is not a key. The error does not contain the text. */
  constructor(texts: readonly string[]) {
    this.keys = texts.map((text, place) => {
      const key = decode(text);
      if (key?.length !== KEY)
        throw new Error(`Key ${place + 1} is not a key that \`bundlesvc discount key\` printed.`);
      return key;
    });
  }

  /** Names of the keys that do not reveal them: the first eight hexadecimal digits of the SHA-256 digest of each key's text. */
  get names(): string[] {
    return this.keys.map((key) =>
      createHash("sha256")
        .update(`${key.toString("base64url")}=`)
        .digest("hex")
        .slice(0, NAME_DIGITS),
    );
  }

  /** The content of a discount string; null when none of the keys can decrypt it. */
  open(text: string): string | null {
    const token = text.length <= LONGEST ? decode(text) : null;
    if (!token || token.length < SHORTEST || token[0] !== VERSION) return null;
    for (const key of this.keys) {
      const content = decrypt(token, key);
      if (content !== null) return content;
    }
    return null;
  }
}

/** Decodes canonical URL-safe base64, with or without padding; null for any other text. */
function decode(text: string): Buffer | null {
  if (!BASE64.test(text) || (text.endsWith("=") && text.length % 4 !== 0)) return null;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text.replace(/=+$/, "") ? bytes : null;
}

/** Decrypts a token. The signature is checked first, so only data that was signed with the key is decrypted. */
function decrypt(token: Buffer, key: Buffer): string | null {
  const signed = token.subarray(0, -SIGNATURE);
  const signature = createHmac("sha256", key.subarray(0, BLOCK)).update(signed).digest();
  if (!timingSafeEqual(signature, token.subarray(-SIGNATURE))) return null;
  const vector = signed.subarray(HEADER, HEADER + BLOCK);
  const decipher = createDecipheriv("aes-128-cbc", key.subarray(BLOCK), vector);
  try {
    return Buffer.concat([decipher.update(signed.subarray(HEADER + BLOCK)), decipher.final()]).toString("utf8");
  } catch {
    return null; // its length is not one of whole blocks, or its padding is wrong
  }
}
