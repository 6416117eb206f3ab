"""An independent oracle for promises and charges. It shares no arithmetic with the service, the simulator or the checkout
function: it calculates with exact fractions, and has its own rounding and decryption. `python -m tests.promises` runs it over
many carts."""
