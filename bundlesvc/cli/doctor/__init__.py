"""The command `bundlesvc doctor`, and its shop checks, which other commands use too."""
