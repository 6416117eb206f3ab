"""The demo storefront: a page, the shop that it shows, and the checkout simulator. It is for demo mode only, and is not a public
API.

A production process neither imports this package nor serves any of its routes (docs/decisions/0014-the-demo-checkout.md).
"""
