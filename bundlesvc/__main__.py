"""Runs the command `bundlesvc` as `python -m bundlesvc`."""

from bundlesvc.cli.main import main

main()
