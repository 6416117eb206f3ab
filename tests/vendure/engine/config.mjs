// The engine's configuration, from the environment: DATABASE_URL, and CREATE_TABLES=1 for an empty database.
import { DefaultLogger, LogLevel, RandomBytesApiKeyStrategy } from "@vendure/core";
import { createHash } from "node:crypto";

const database = new URL(process.env.DATABASE_URL);
const hashOf = (secret) => createHash("sha256").update(secret).digest("hex");

/** API keys are long and random, so a fast hash is enough. The default one takes 0.2 seconds for each request. */
const fastHash = { hash: async (secret) => hashOf(secret), check: async (secret, hash) => hashOf(secret) === hash };

/** @type {import('@vendure/core').VendureConfig} */
export const config = {
  assetOptions: { assetStorageStrategy: { toAbsoluteUrl: (_, url) => url } },
  apiOptions: { hostname: "127.0.0.1", port: 0 },
  authOptions: {
    tokenMethod: ["bearer", "api-key"],
    superadminCredentials: { identifier: "superadmin", password: "superadmin" },
    adminApiKeyStrategy: new RandomBytesApiKeyStrategy({ hashingStrategy: fastHash }),
  },
  dbConnectionOptions: {
    type: "postgres",
    host: database.hostname,
    port: Number(database.port),
    username: database.username,
    password: database.password,
    database: database.pathname.slice(1),
    synchronize: process.env.CREATE_TABLES === "1",
    logging: false,
    extra: { max: 5 },
  },
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: false }),
  paymentOptions: { paymentMethodHandlers: [] },
};
