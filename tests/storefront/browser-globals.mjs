/** What every browser has and Node 18 has not under the same name. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
