import { type DocumentNode, parse } from "graphql";

const LINES = /* GraphQL */ `
  "The bundle that an order line belongs to."
  type OrderLineBundle {
    "The number of the configured bundle."
    configured: String
    "The number of the bundle."
    bundle: Int
    title: String!
    "\`<configured bundle>#<parent variant>#<unique id>\`: what a page needs to read the configured bundle again."
    mark: String!
    "Whether the line is a fee for personalisation. Fees are charged at full price."
    isFee: Boolean!
    "What the shopper answered, by label: a JSON object."
    answers: JSON
    "Whether the bundle is charged as it was promised."
    isIntact: Boolean!
    "Why the bundle is charged at full price: a stable code, and a sentence. Null when it is charged as it was promised."
    reason: String
    message: String
  }
  extend type OrderLine {
    "The bundle that the line belongs to; null for a line that is in none."
    bundle: OrderLineBundle
  }
`;

export const SHOP_SCHEMA: DocumentNode = parse(/* GraphQL */ `
  ${LINES}
  "The bundle was not added, and the order has not changed."
  type BundleNotAddedError implements ErrorResult {
    errorCode: ErrorCode!
    message: String!
  }
  union AddBundleToOrderResult =
      Order
    | BundleNotAddedError
    | OrderModificationError
    | OrderLimitError
    | NegativeQuantityError
    | InsufficientStockError
    | OrderInterceptorError
  extend type Mutation {
    """
    Add all lines of a configured bundle to the active order, or none of them. \`configured\` is the response of the service's configure
    request. A bundle that is in the order is not added again.
    """
    addBundleToOrder(configured: JSON!): AddBundleToOrderResult!
  }
`);

export const ADMIN_SCHEMA: DocumentNode = parse(/* GraphQL */ `
  ${LINES}
  type BundlesChannel {
    channel: String!
    enabled: Boolean!
  }
  type BundlesPlugin {
    "The version of the plugin, which is that of the service."
    version: String!
    "Names of the keys of discount strings: the first eight hexadecimal digits of each key's SHA-256 digest."
    keys: [String!]!
    "The channels that the promotion of bundles is assigned to, and whether it is enabled."
    promotion: [BundlesChannel!]!
    "Null when no webhooks are sent."
    webhooks: BundlesWebhooks
  }
  type BundlesWebhooks {
    url: String!
    "A name of the secret: the first eight hexadecimal digits of its SHA-256 digest."
    secret: String!
    "How webhooks are delivered; null when the job queue does not show its jobs."
    queue: BundlesQueue
  }
  type BundlesQueue {
    "Webhooks that have not been delivered yet, the time of the oldest, and why the last attempt failed."
    waiting: Int!
    waitingSince: DateTime
    failure: String
    deliveredAt: DateTime
  }
  type BundleRefundLine {
    orderLineId: ID!
    quantity: Int!
    amount: Money!
  }
  "What to refund, with tax."
  type BundleRefund {
    amount: Money!
    lines: [BundleRefundLine!]!
  }
  extend type Query {
    "The state of the plugin."
    bundlesvc: BundlesPlugin!
    """
    What was paid for units of a placed order's lines that have not been refunded yet: the amount for \`refundOrder\`, before or after they
    are cancelled.
    """
    bundleRefund(orderId: ID!, lines: [OrderLineInput!]!): BundleRefund!
    """
    A placed order with bundles, as the service judges it: what was promised, what is charged, what came back. Nothing about the customer but
    the country. Null when there is no such order.
    """
    bundleOrder(id: ID!): JSON
    "Ids of placed orders with bundles, placed at this time or later, after an id: at most 1000."
    bundleOrders(since: DateTime!, after: ID, take: Int!): [ID!]!
  }
`);
