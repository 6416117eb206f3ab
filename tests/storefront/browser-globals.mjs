/** Browser globals that Node 18 lacks. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
