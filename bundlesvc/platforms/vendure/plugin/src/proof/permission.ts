import { PermissionDefinition } from "@vendure/core";

/** The permission to read placed orders with bundles, without anything about the customer but the country. */
export const readBundleOrders = new PermissionDefinition({
  name: "ReadBundleOrders",
  description: "Read what placed orders charge for bundles, without data about customers",
});
