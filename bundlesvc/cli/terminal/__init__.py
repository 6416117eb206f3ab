"""What commands read from the command line, and print to the terminal."""
