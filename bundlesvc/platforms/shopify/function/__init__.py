"""The function that runs in the platform's checkout: `src/` and the module compiled from it, how it is exported, how a shop
runs it, and how it is installed there."""
