// Starts the engine with the plugin and prints {"port": …}; ends when its standard input does. DATABASE_URL is its database, and
// BUNDLES the plugin's options, null for no plugin; PLUGIN is the folder of its package. Amounts have
// DECIMALS, two by default. With CREATE_TABLES=1 it first fills an empty database with tables, a country, taxes, a payment method that
// always succeeds, and free shipping; its jobs wait.
import { createRequire } from "node:module";

const require = createRequire(`${process.env.PLUGIN}/package.json`);
const {
  DefaultJobQueuePlugin,
  DefaultLogger,
  DefaultMoneyStrategy,
  JobQueueService,
  LanguageCode,
  LogLevel,
  bootstrap,
  dummyPaymentHandler,
} = require("@vendure/core");
const { populateInitialData } = require("@vendure/core/cli");
const { BundlesPlugin } = require("./dist");

class Money extends DefaultMoneyStrategy {
  precision = Number(process.env.DECIMALS ?? 2);
}

const MUCH = 1_000_000;
const database = new URL(process.env.DATABASE_URL);
const options = JSON.parse(process.env.BUNDLES);
const isNew = process.env.CREATE_TABLES === "1";

const config = {
  assetOptions: { assetStorageStrategy: { toAbsoluteUrl: (_, url) => url } },
  apiOptions: { hostname: "127.0.0.1", port: 0 },
  authOptions: { tokenMethod: ["bearer"], superadminCredentials: { identifier: "superadmin", password: "superadmin" } },
  dbConnectionOptions: {
    type: "postgres",
    host: database.hostname,
    port: Number(database.port),
    username: database.username,
    password: database.password,
    database: database.pathname.slice(1),
    synchronize: isNew,
    logging: false,
    extra: { max: 5 },
  },
  entityOptions: { moneyStrategy: new Money() },
  logger: new DefaultLogger({ level: LogLevel.Info, timestamp: false }),
  orderOptions: { orderItemsLimit: MUCH, orderLineItemsLimit: MUCH },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [DefaultJobQueuePlugin, ...(options ? [BundlesPlugin.init(options)] : [])],
};

const SHOP = {
  defaultLanguage: LanguageCode.en,
  defaultZone: "Europe",
  countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  taxRates: [{ name: "Standard Tax", percentage: 20 }],
  shippingMethods: [{ name: "Free", price: 0 }],
  paymentMethods: [
    {
      name: "Test",
      handler: { code: dummyPaymentHandler.code, arguments: [{ name: "automaticSettle", value: "true" }] },
    },
  ],
  collections: [],
};

process.stdin.on("end", () => process.exit(0)).resume();
const app = await bootstrap(config);
if (isNew) await populateInitialData(app, SHOP);
else await app.get(JobQueueService).start();
process.stdout.write(`${JSON.stringify({ port: app.getHttpServer().address().port })}\n`);
