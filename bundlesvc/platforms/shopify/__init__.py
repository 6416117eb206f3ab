"""Shopify, over its Admin GraphQL API.

`platform` implements the port. For each fetch it opens an `admin_session` (`client/sessions`), which sends documents
(`graphql`) through the shop's `retrying_client`. That waits for points (`throttling`), stops at the `circuit_breaker`, and
retries; `transport` sends the requests, `replies` reads the replies, and `token_renewal` provides the access tokens.
`catalogue/` says what is read of products, prices and markets, and how ghost variants are written; `orders/` reads orders,
and `webhooks/` what shops send. `app/` is the app that connects a shop: its access scopes, its webhook subscriptions, and the
function that runs in Shopify's checkout, with what exports it, makes a shop run it, and reads how it is installed.
"""
