"""Shopify, over its Admin GraphQL API.

`platform` implements the port. It opens an `admin_session` (`client/`) for each fetch, which sends documents (`graphql`) through
the shop's `retrying_client`. That waits for points (`throttling`), stops at the `circuit_breaker`, and retries; `transport` sends
the requests, `replies` reads the replies, and `token_renewal` provides the access tokens. `catalogue/` and `ghosts/` say what is
read and written.

The function that runs in Shopify's checkout is in the folder `function`, with what exports it (`package`), makes a shop run it
(`activation`), and reads how it is installed (`installation`).
"""
