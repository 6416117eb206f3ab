// Starts the engine and prints {"port": …}. With CREATE_TABLES=1 it first fills an empty database with tables, countries and taxes.
// It ends when its standard input does, so that a test run that is killed leaves no engine behind.
import { LanguageCode, bootstrap } from "@vendure/core";
import { populateInitialData } from "@vendure/core/cli/index.js";
import { config } from "./config.mjs";

const COUNTRIES = {
  defaultLanguage: LanguageCode.en,
  defaultZone: "Europe",
  countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  taxRates: [{ name: "Standard Tax", percentage: 20 }],
  shippingMethods: [],
  paymentMethods: [],
  collections: [],
};

process.stdin.on("end", () => process.exit(0)).resume();
const app = await bootstrap(config);
if (process.env.CREATE_TABLES === "1") await populateInitialData(app, COUNTRIES);
process.stdout.write(`${JSON.stringify({ port: app.getHttpServer().address().port })}\n`);
