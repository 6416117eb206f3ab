"""The platform's storefront: carts over its published Storefront schema, and a checkout that runs the app's functions."""
