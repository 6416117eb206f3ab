"""The commands that read shop files and catalogue files."""
