"""What opens a shop to this service, read from standard input: it stands in no argument and in no shell's history."""

import re
import sys

import click

from bundlesvc.cli.failing import fail
from bundlesvc.domain.connection import ClientCredentials, Connection

_CLIENT_ID = "client ID of the app"
_TOKEN = "Admin API access token"  # noqa: S105 - what it is called
_SECRET = "client secret of the app"  # noqa: S105

_VISIBLE = re.compile(rb"[!-~]+")
"""ASCII that shows: a token goes into a header."""


def read_connection(domain: str, *, client_credentials: bool) -> Connection:
    """A connection with a client ID and its secret, or with a token and the secret. At a terminal they are asked for, and
    what is secret is not shown. Ends the command when one is missing."""
    client_id = _read_client_id(client_credentials=client_credentials)
    if client_id:
        return Connection(domain, "", _read(_SECRET, _CLIENT_ID), ClientCredentials(client_id))
    return Connection(domain, _read(_TOKEN, _TOKEN), _read(_SECRET, _TOKEN))


def _read_client_id(*, client_credentials: bool) -> str:
    """Empty where a token is to be read instead: a person decides by giving none."""
    if client_credentials:
        return _read(_CLIENT_ID, _CLIENT_ID, hidden=False)
    if not sys.stdin.isatty():
        return ""
    hint = f"{_CLIENT_ID} (none: press Enter)"
    return str(click.prompt(hint, default="", show_default=False, err=True)).strip()


def _read(what: str, first: str, *, hidden: bool = True) -> str:
    """One line; `first` is what the first line holds."""
    if sys.stdin.isatty():
        written: bytes = click.prompt(what, hide_input=hidden, err=True).encode()
    else:
        written = sys.stdin.buffer.readline()
    line = written.strip()
    if not _VISIBLE.fullmatch(line):
        fail(f"the {what} is missing. Standard input holds two lines: the {first}, then the {_SECRET}.")
    return line.decode()
