"""Runs the `bundlesvc` command as `python -m bundlesvc`."""

from bundlesvc.cli.main import main

main()
