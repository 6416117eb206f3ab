"""An independent oracle of promises and charges. Its arithmetic shares no code with the service, the simulator or the checkout
function: it has exact fractions, and its own rounding and decryption. `python -m tests.promises` runs it over many carts."""
