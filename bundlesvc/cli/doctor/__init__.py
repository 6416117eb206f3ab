"""The command `bundlesvc doctor`, and its checks of a shop for other commands."""
