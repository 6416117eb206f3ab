"""Checks a connection to a live platform before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from bundlesvc.cli.output import fail
from bundlesvc.cli.platform.live_platform import LiveShop, UnsavedConnection
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.app.installed_app import ShopifyAppInspection
from bundlesvc.services.diagnosis.live_platform import PLATFORM_FAULTS, reason_of


@dataclass(frozen=True, slots=True)
class Checked:
    """A shop's settings, fetched with the new credentials. `lacking`: the access scopes that the app needs and lacks."""

    settings: ShopSettings
    lacking: Sequence[str]


async def check_connection(live: LiveShop, unsaved: UnsavedConnection) -> Checked:
    """Try a connection before it is stored. Ends the command when the shop refuses it."""
    try:
        settings = await unsaved.platform.shop(live.tenant)
        access = await ShopifyAppInspection(unsaved.platform).access(live.tenant, live.bundles)
        return Checked(settings, access.missing_scopes)
    except PLATFORM_FAULTS as error:
        other_way = isinstance(error, PlatformNotConnected) and unsaved.connection.grant is None
        hint = " To connect with a client ID instead of a token, use --client-credentials." if other_way else ""
        reason = reason_of(error, live.tenant, live.notes)
        fail(f"nothing was stored, and an earlier connection still works: {reason}{hint}")
