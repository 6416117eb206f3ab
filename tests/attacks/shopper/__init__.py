"""A shopper, who has a cart: paying less."""
