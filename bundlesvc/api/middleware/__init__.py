"""The layers around every handler, one concern a file."""
