"""Shopify, over its Admin GraphQL API.

`platform` implements the port. It opens an `admin_session` (`client/`) for each fetch, which sends documents (`graphql`) through
the shop's `retrying_client`. That waits for points (`throttling`), stops at the `circuit_breaker`, and retries; `transport` sends
the requests, `replies` reads the replies, and `token_renewal` provides the access tokens. `catalogue/` and `ghosts/` say what is
read and written.

The function that runs in Shopify's checkout is in the folder `function`. In `app/`, `function_package` exports it,
`function_activation` makes a shop run it, and `installed_function` reads how it is installed.
"""
