"""Shopify, over its Admin GraphQL API.

`platform` implements the port. For each fetch it opens an `admin_session` (`client/sessions`), which sends documents (`graphql`)
through the shop's `retrying_client`. The client waits for query-cost points (`throttling`), sends nothing while the
`circuit_breaker` is open, and retries; `transport` sends the requests, `replies` reads the replies, and `token_renewal` provides
the access tokens. `catalogue/` defines which product, price and market data is read, and how ghost variants are written;
`orders/` reads orders, and `webhooks/` reads the webhooks that shops send. `app/` is the app that connects a shop: its access
scopes, its webhook subscriptions, and the function that runs in Shopify's checkout, including the code that exports the function,
activates it for a shop, and reads its installation state.
"""
