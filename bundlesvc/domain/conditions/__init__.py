"""The conditions engine: the graph of conditions and actions, and what it may give for free."""
