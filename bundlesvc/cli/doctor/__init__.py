"""The command `bundlesvc doctor`, and the shop checks that it shares with other commands."""
