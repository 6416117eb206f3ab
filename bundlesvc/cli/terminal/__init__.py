"""Reads what commands take from the command line, and prints their output to the terminal."""
