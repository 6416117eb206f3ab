"""Reads credentials for a command: at a terminal from prompts, which hide secrets, and otherwise from lines of standard input.
Credentials never appear in an argument list or in the shell history."""

import re
import sys
from collections.abc import Sequence

import click

from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.shop import SHOPIFY, PlatformLink

CLIENT_ID = "client ID of the app"
ACCESS_TOKEN = "Admin API access token"  # noqa: S105 - a label
CLIENT_SECRET = "client secret of the app"  # noqa: S105
KEY = "API key or session token"
REFRESH_TOKEN = "refresh token of the app"  # noqa: S105
NEW_SECRET = "new client secret of the app"  # noqa: S105

_FIXED = (ACCESS_TOKEN, CLIENT_SECRET)
_APP = (CLIENT_ID, CLIENT_SECRET)
_AUTHORIZED_APP = (CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN)

_NUMBERS = ("one line", "two lines", "three lines")
_VISIBLE = re.compile(rb"[!-~]+")
"""Visible ASCII: the only characters allowed in credentials, because a token is sent in a header."""


def read_connection(link: PlatformLink, *, client_credentials: bool, refresh_token: bool) -> PlatformConnection:
    """Read the credentials of a shop on this platform. For Shopify, the flags determine which credentials are read. Ends the
    command when one is missing."""
    domain = link.domain or ""
    if link.kind == SHOPIFY:
        return _app_connection(domain, client_credentials=client_credentials, refresh_token=refresh_token)
    if client_credentials or refresh_token:
        fail("--client-credentials and --refresh-token are for apps on Shopify. Leave them out.")
    return PlatformConnection(domain, _read(KEY, [KEY]))


def _app_connection(domain: str, *, client_credentials: bool, refresh_token: bool) -> PlatformConnection:
    """Read the credentials of a Shopify app: an access token and a client secret, or a client ID and a client secret, or a client
    ID, a client secret and a refresh token. At a terminal, pressing Enter instead of entering a client ID selects the access
    token."""
    lines = _AUTHORIZED_APP if refresh_token else _APP if client_credentials else _FIXED
    if lines == _FIXED and sys.stdin.isatty():
        client_id = str(
            click.prompt(f"{CLIENT_ID} (none: press Enter)", default="", show_default=False, err=True)
        ).strip()
        lines = _APP if client_id else _FIXED
        given = [client_id] if client_id else []
    else:
        given = []
    given += [_read(label, lines) for label in lines[len(given) :]]
    return _connection(domain, lines, given)


def read_new_secret() -> str:
    """Read the new client secret of an app from standard input. Ends the command when no secret is given."""
    return _read(NEW_SECRET, [NEW_SECRET])


def _connection(domain: str, lines: Sequence[str], given: Sequence[str]) -> PlatformConnection:
    if lines == _FIXED:
        token, secret = given
        return PlatformConnection(domain, token, secret)
    client_id, secret, *refresh = given
    return PlatformConnection(domain, "", secret, ClientCredentials(client_id, refresh_token="".join(refresh)))


def _read(what: str, lines: Sequence[str]) -> str:
    """Read one line of the credentials. If it is missing or invalid, end the command with an error that lists all `lines`."""
    if sys.stdin.isatty():
        written: bytes = click.prompt(what, hide_input=what != CLIENT_ID, err=True).encode()
    else:
        written = sys.stdin.buffer.readline()
    line = written.strip()
    if not _VISIBLE.fullmatch(line):
        named = ", then the ".join(lines)
        number = _NUMBERS[len(lines) - 1]
        fail(f"the {what} is missing or not a single word. Give {number} on standard input: the {named}.")
    return line.decode()
