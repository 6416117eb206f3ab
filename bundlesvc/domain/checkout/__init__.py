"""From a configured bundle to a discount in the cart: the discount string and the cart-transform step."""
