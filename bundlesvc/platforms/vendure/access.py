"""The channels that a shop needs, and whether its key may read them."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from bundlesvc.domain.live_platform.connection import ConnectionFault
from bundlesvc.domain.shop import PlatformLink
from bundlesvc.platforms.calls.call_errors import Denied
from bundlesvc.platforms.calls.concurrent_calls import gather_all
from bundlesvc.platforms.vendure.replies import NO_CHANNEL, QueryRefused
from bundlesvc.platforms.vendure.session import READ_CATALOG, Session

ACCESS, MARKETS = "permissions", "markets"
"""Codes of the checks."""

_SESSION = (
    "An API key is valid in the channel that it was made in. Connect with the session token of an administrator whose role "
    "has this channel: bundlesvc platform connect --shop {handle}"
)


@dataclass(frozen=True, slots=True)
class ChannelAccess:
    """A channel as the shop's key sees it. `code` is the name of the channel in the admin."""

    code: str
    may_read: bool
    currencies: Collection[str]


async def channel_access(session: Session) -> ChannelAccess | None:
    """Return the session's channel as the key sees it; None when the key has no access to the channel. Raises QueryRefused when
    the channel does not exist."""
    try:
        data = await session.attempt("access", explained=NO_CHANNEL)
    except Denied:
        return None
    with session.reading():
        channel = data["activeChannel"]
        code, currencies = str(channel["code"]), frozenset(channel["availableCurrencyCodes"])
    return ChannelAccess(code, await _may_read(session), currencies)


async def _may_read(session: Session) -> bool:
    """Find out whether the key may read products, by reading one, because an API key cannot read its own permissions."""
    try:
        await session.attempt("any_product", explained=NO_CHANNEL)
    except Denied:
        return False
    return True


async def readable_channels(session: Session, tokens: Iterable[str | None]) -> list[str]:
    """Return the codes of the channels that the shop's key may read."""

    async def access(token: str | None) -> ChannelAccess | None:
        try:
            return await channel_access(session.in_channel(token))
        except QueryRefused:
            return None

    found = await gather_all(map(access, tokens))
    return [channel.code for channel in found if channel and channel.may_read]


async def channel_faults(session: Session, link: PlatformLink, token: str | None, handle: str) -> list[ConnectionFault]:
    """Check one of the shop's channels, and return the faults found: the channel does not exist, the key has no access to it, or
    it lacks the currencies of the shop's markets."""
    named = f"the channel {token}" if token else "the default channel"
    try:
        access = await channel_access(session.in_channel(token))
    except QueryRefused:
        remedy = "Name the token of an existing channel in the shop file, and load it."
        return [ConnectionFault(MARKETS, f"there is no channel with the token {token}.", remedy)]
    if access is None:
        remedy = _SESSION.format(handle=handle)
        return [ConnectionFault(ACCESS, f"the key is not valid in {named}.", remedy)]
    if not access.may_read:
        remedy = f"Add it to the role of the key's user, in this channel: {access.code}."
        return [ConnectionFault(ACCESS, f"the key lacks the permission {READ_CATALOG} in {named}.", remedy)]
    return list(_currency_faults(link, token, access))


def _currency_faults(link: PlatformLink, token: str | None, access: ChannelAccess) -> Iterator[ConnectionFault]:
    for market in link.markets:
        if link.channel_of(market) == token and market.currency not in access.currencies:
            yield ConnectionFault(
                MARKETS,
                f"nothing is for sale in {market.country_code}: the channel {access.code} has no prices in {market.currency}.",
                "Add the currency to the channel, or correct the market in the shop file.",
            )
