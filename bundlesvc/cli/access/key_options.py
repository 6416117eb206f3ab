"""The options of `bundlesvc keys`."""

from typing import Any

import click

from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.access.key import EMBED, MANAGEMENT_SCOPES, PAGE_RATE_LIMIT, PAGE_VISITOR_LIMIT, SCOPES, KeyLimits
from bundlesvc.domain.access.origin import check_origin
from bundlesvc.domain.texts.characters import hidden_in_line
from bundlesvc.services.access.key_administration import KeyRequest

MAX_LABEL_LENGTH = 255
MAX_LIMIT = 2**31 - 1
NO_LIMIT = "none"
_OR_NONE = WholeNumber(1, MAX_LIMIT, NO_LIMIT)


class VisitorLimit(click.ParamType[int | str]):
    """The type of an option whose value is a whole number or the word "none". When the option is left out, its value is None."""

    name = "visitor limit"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "N|none"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        return NO_LIMIT if value == NO_LIMIT else _OR_NONE.convert(value, param, ctx)


rate_limit_option = click.option(
    "--rate-limit", type=WholeNumber(1, MAX_LIMIT), metavar="N", help="Requests a minute in total."
)
visitor_limit_option = click.option("--visitor-limit", type=VisitorLimit(), help="Requests a minute from one address.")


def chosen_limits(rate_limit: int | None, visitor_limit: int | str | None) -> KeyLimits:
    """Collect the limits that the options set. A limit whose option was not given is left out."""
    limits = KeyLimits()
    if rate_limit is not None:
        limits["rate_limit"] = rate_limit
    if visitor_limit is not None:
        limits["visitor_limit"] = visitor_limit if isinstance(visitor_limit, int) else None
    return limits


def key_request(
    label: str,
    pages: tuple[str, ...],
    scopes: tuple[str, ...],
    origins: tuple[str, ...],
    rate_limit: int | None,
    visitor_limit: int | str | None,
    *,
    test: bool,
) -> KeyRequest:
    """Build the request for the key that the options describe. With `pages`, it is a key for those pages, with the default limits
    of such keys."""
    limits = chosen_limits(rate_limit, visitor_limit)
    if len({scope in MANAGEMENT_SCOPES for scope in scopes}) > 1:
        raise click.UsageError("a key for the management API has no scope for storefronts: create two keys.")
    if not pages:
        return KeyRequest(label, test, tuple(dict.fromkeys(scopes)) or SCOPES, origins, **limits)
    if scopes or origins:
        raise click.UsageError("--page sets scope and origins: leave out --scope and --origin.")
    page_limits: KeyLimits = {"rate_limit": PAGE_RATE_LIMIT, "visitor_limit": PAGE_VISITOR_LIMIT, **limits}
    return KeyRequest(label, test, (EMBED,), pages, **page_limits)


def check_origins(context: click.Context, parameter: click.Parameter, origins: tuple[str, ...]) -> tuple[str, ...]:
    """Check the origins, and return them without duplicates."""
    return tuple(dict.fromkeys(map(_checked, origins)))


def check_label(context: click.Context, parameter: click.Parameter, label: str) -> str:
    if len(label) > MAX_LABEL_LENGTH:
        raise click.BadParameter(f"a label has at most {MAX_LABEL_LENGTH} characters.")
    if hidden := hidden_in_line(label):
        raise click.BadParameter(f"a label cannot contain the control character {hidden}.")
    return label


def _checked(origin: str) -> str:
    try:
        return check_origin(origin)
    except ValueError as error:
        raise click.BadParameter(f"{origin} never matches: {error}.") from error
