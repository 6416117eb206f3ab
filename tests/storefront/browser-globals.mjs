/** Globals of browsers that Node 18 does not have. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
