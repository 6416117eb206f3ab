"""Shopify, over its Admin GraphQL API.

`platform` implements the port. It opens an `admin_session` for each fetch, which sends documents (`graphql`) through the
shop's `retrying_client`. That waits for points (`throttling`), stops at the `circuit_breaker`, and retries; `transport` sends the
requests, `replies` reads the replies, and `token_renewal` provides the access tokens.

The function that runs in Shopify's checkout is in the folder `function`. `function_package` exports it, `function_activation`
makes a shop run it, and `checkout_function` reads how it is installed.
"""
