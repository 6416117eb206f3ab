"""The platform's storefront: carts in its published Storefront schema, and a checkout that runs the app's functions."""
