"""The command `bundlesvc doctor`, and the checks of shops that it shares with other commands."""
