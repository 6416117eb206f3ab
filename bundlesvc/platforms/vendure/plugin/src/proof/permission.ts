import { PermissionDefinition } from "@vendure/core";

/** The permission to read placed orders with bundles. Of the customer, only the country is shown. */
export const readBundleOrders = new PermissionDefinition({
  name: "ReadBundleOrders",
  description: "Read what placed orders charge for bundles, without data about customers",
});
