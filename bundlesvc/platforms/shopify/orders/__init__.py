"""Orders of shops on Shopify, as read by the capability for orders."""
