"""The channels that a shop needs, and whether its key may read them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bundlesvc.domain.live_platform.connection import ConnectionFault
from bundlesvc.domain.shop import PlatformLink
from bundlesvc.platforms.calls.call_errors import Denied
from bundlesvc.platforms.vendure.replies import NO_CHANNEL, QueryRefused
from bundlesvc.platforms.vendure.session import Session

PERMISSION = "ReadCatalog"
EQUAL_PERMISSIONS = frozenset({PERMISSION, "ReadProduct"})
"""Each of them lets a key read products."""

ACCESS, MARKETS = "permissions", "markets"
"""Codes of the checks."""

_NEW_KEY = "bundlesvc platform connect --shop {handle}"


@dataclass(frozen=True, slots=True)
class ChannelAccess:
    """A channel as the shop's key sees it. `code` is its name in the admin."""

    code: str
    may_read: bool
    currencies: Collection[str]


async def channel_access(session: Session) -> ChannelAccess | None:
    """How the session's channel can be read; None when the key is not valid there. Raises QueryRefused when there is no such
    channel."""
    try:
        data = await session.attempt("access", explained=NO_CHANNEL)
    except Denied:
        return None
    with session.reading():
        channel = data["activeChannel"]
        permissions = {
            permission
            for own in data["me"]["channels"]
            if own["token"] == channel["token"]
            for permission in own["permissions"]
        }
        return ChannelAccess(
            channel["code"], not EQUAL_PERMISSIONS.isdisjoint(permissions), frozenset(channel["availableCurrencyCodes"])
        )


async def channel_faults(session: Session, link: PlatformLink, token: str | None, handle: str) -> list[ConnectionFault]:
    """The faults of one of the shop's channels: no such channel, no access, or not the currencies of its markets."""
    named = f"the channel {token}" if token else "the default channel"
    try:
        access = await channel_access(session.in_channel(token))
    except QueryRefused:
        remedy = "Name the token of an existing channel in the shop file, and load it."
        return [ConnectionFault(MARKETS, f"there is no channel with the token {token}.", remedy)]
    if access is None:
        remedy = "An API key is valid in one channel only: connect with a session token instead, or add the channel to its role: "
        return [ConnectionFault(ACCESS, f"the key is not valid in {named}.", remedy + _NEW_KEY.format(handle=handle))]
    if not access.may_read:
        remedy = f"Add it to the role of the key's user, in this channel: {access.code}."
        return [ConnectionFault(ACCESS, f"the key lacks the permission {PERMISSION} in {named}.", remedy)]
    return list(_currency_faults(link, token, access))


def _currency_faults(link: PlatformLink, token: str | None, access: ChannelAccess) -> Iterator[ConnectionFault]:
    for market in link.markets:
        if link.channel_of(market) == token and market.currency not in access.currencies:
            yield ConnectionFault(
                MARKETS,
                f"nothing is for sale in {market.country_code}: the channel {access.code} has no prices in {market.currency}.",
                "Add the currency to the channel, or correct the market in the shop file.",
            )
