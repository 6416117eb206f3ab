"""Shopify, over its Admin GraphQL API.

`platform` implements the port. For each fetch it opens an `admin_session` (`client/sessions`), which sends documents
(`graphql`) through the shop's `retrying_client`. That waits for points (`throttling`), stops at the `circuit_breaker`, and
retries; `transport` sends the requests, `replies` reads the replies, and `token_renewal` provides the access tokens.
`catalogue/` and `ghosts/` say what is read and written, `orders/` reads orders, `webhooks/` what shops send, and `app/`
inspects the installed app.

The function that runs in Shopify's checkout is in the folder `function`, with what exports it (`package`), makes a shop run it
(`activation`), and reads how it is installed (`installation`).
"""
