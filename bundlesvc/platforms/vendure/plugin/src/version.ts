import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the plugin, which is that of the service that it was released with. */
export const VERSION: string = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")).version;
