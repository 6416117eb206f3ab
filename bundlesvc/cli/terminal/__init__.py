"""Terminal input and output of commands: confirmations, types of options, and printed results."""
