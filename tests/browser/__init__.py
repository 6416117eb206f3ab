"""The web component and the demo storefront in headless Chromium, as a shopper and a storefront's developer use them."""
