"""The rules that a selection must meet before it is configured."""
