"""`python -m bundlesvc` is the command `bundlesvc`."""

from bundlesvc.cli.main import main

main()
