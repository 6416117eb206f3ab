"""Reads a shop's credentials from standard input, so that they appear in no argument list and no shell history."""

import re
import sys

import click

from bundlesvc.cli.failing import fail
from bundlesvc.domain.connection import ClientCredentials, Connection

_CLIENT_ID = "client ID of the app"
_TOKEN = "Admin API access token"  # noqa: S105 - a label
_SECRET = "client secret of the app"  # noqa: S105

_VISIBLE = re.compile(rb"[!-~]+")
"""Visible ASCII, because a token is sent in a header."""


def read_connection(domain: str, *, client_credentials: bool) -> Connection:
    """Read a client ID and client secret, or an access token and client secret. At a terminal, prompts for them and does not
    show secrets. Ends the command when one is missing."""
    client_id = _read_client_id(client_credentials=client_credentials)
    if client_id:
        return Connection(domain, "", _read(_SECRET, _CLIENT_ID), ClientCredentials(client_id))
    return Connection(domain, _read(_TOKEN, _TOKEN), _read(_SECRET, _TOKEN))


def _read_client_id(*, client_credentials: bool) -> str:
    """The client ID; empty when an access token is to be read instead, which a person chooses by pressing Enter."""
    if client_credentials:
        return _read(_CLIENT_ID, _CLIENT_ID, hidden=False)
    if not sys.stdin.isatty():
        return ""
    hint = f"{_CLIENT_ID} (none: press Enter)"
    return str(click.prompt(hint, default="", show_default=False, err=True)).strip()


def _read(what: str, first: str, *, hidden: bool = True) -> str:
    """Read one line; `first` names the first line, for the error."""
    if sys.stdin.isatty():
        written: bytes = click.prompt(what, hide_input=hidden, err=True).encode()
    else:
        written = sys.stdin.buffer.readline()
    line = written.strip()
    if not _VISIBLE.fullmatch(line):
        fail(
            f"the {what} is missing or not a single word. Give two lines on standard input: the {first}, then the {_SECRET}."
        )
    return line.decode()
