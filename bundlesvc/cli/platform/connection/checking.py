"""Checks a connection to a live platform before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from bundlesvc.cli.platform.connection.live_shop import LiveShop, UnsavedConnection
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.live_platform.connection import ConnectionFault
from bundlesvc.domain.shop import SHOPIFY, ShopSettings
from bundlesvc.services.diagnosis.live_platform import PLATFORM_FAULTS, reason_of


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a connection: the shop's settings, fetched with the new credentials, and the missing permissions as
    `faults`."""

    settings: ShopSettings
    faults: Sequence[ConnectionFault]


async def check_connection(live: LiveShop, unsaved: UnsavedConnection) -> Checked:
    """Try a connection before it is stored. Ends the command when the platform refuses it."""
    try:
        engine = await live.open_engine(unsaved)
        settings = await engine.platform.shop(live.tenant)
        access = await engine.inspection().access(live.tenant, live.bundles)
        return Checked(settings, access.faults)
    except PLATFORM_FAULTS as error:
        fixed_token = live.tenant.shop.platform.kind == SHOPIFY and unsaved.connection.grant is None
        other_way = isinstance(error, PlatformNotConnected) and fixed_token
        hint = " To connect with a client ID instead of a token, use --client-credentials." if other_way else ""
        reason = reason_of(error, live.tenant, live.notes)
        fail(f"nothing was stored, and an earlier connection still works: {reason}{hint}")
