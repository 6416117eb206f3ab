"""Attacks by a stranger with network access: connections and bodies that never end, or that arrive in excessive numbers."""
