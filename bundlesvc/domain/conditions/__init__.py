"""The conditions engine: the graph of conditions and actions, and the units that actions may make free."""
