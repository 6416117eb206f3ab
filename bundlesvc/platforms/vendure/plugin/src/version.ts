import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the plugin, equal to that of the service with which it was released. */
export const VERSION: string = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")).version;
