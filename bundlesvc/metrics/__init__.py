"""The metrics of all processes on one page, and those that every process has. What an adapter or use case counts, it collects
itself."""
