"""The function that runs in the platform's checkout: its source (`src/`) and compiled module, its export, its activation in a
shop, and the inspection of its installation."""
