"""The demo storefront: a page, the shop that it shows, and the checkout simulator. In demo mode only, and no public API."""
