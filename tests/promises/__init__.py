"""An independent oracle of promises and charges. Its arithmetic shares no code with the service, the simulator and the checkout
function: exact fractions, rounding of its own, decryption of its own. `python -m tests.promises` runs it over many carts."""
