"""The command `bundlesvc serve`, and demo mode."""
