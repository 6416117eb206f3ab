"""Reads and confirms the input of commands, and prints their output to the terminal."""
