"""Orders of shops on Shopify, as the capability for orders reads them."""
