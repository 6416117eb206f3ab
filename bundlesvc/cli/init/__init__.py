"""The `bundlesvc init` command, and the templates of the files that it writes."""
