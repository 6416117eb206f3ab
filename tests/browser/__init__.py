"""The web component and the demo storefront in headless Chromium, as shoppers and storefront developers use them."""
