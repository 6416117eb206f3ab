"""Commands that read shop files and catalogue files."""
