"""Lists the webhooks that the Vendure plugin sends for a shop, for `platform webhooks list`."""

from datetime import UTC, datetime
from typing import cast

from bundlesvc.cli.platform.connection.live_shop import LiveShop
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.shop import VENDURE

Row = dict[str, object]


def has_plugin(live: LiveShop) -> bool:
    """Whether a plugin sends the shop's webhooks."""
    return live.tenant.shop.platform.kind == VENDURE


async def plugin_webhooks(live: LiveShop) -> list[Row]:
    """Return a row for the address that the plugin sends webhooks to, or an empty list when it sends none. The row shows only a
    short name of the secret, as `platform check` does. Ends the command when the plugin is missing, or when the key lacks
    permission to read the plugin's state."""
    from bundlesvc.platforms.calls.call_errors import Denied  # noqa: PLC0415 - the other commands run without Vendure
    from bundlesvc.platforms.vendure.checkout_plugin import PACKAGE, installed_plugin  # noqa: PLC0415
    from bundlesvc.platforms.vendure.platform import VendurePlatform  # noqa: PLC0415

    handle, platform = live.tenant.shop.handle, cast(VendurePlatform, live.engine.platform)
    try:
        installed = await installed_plugin(await platform.session(live.tenant))
    except Denied:
        fail(f"{handle}: the key may not read the state of the plugin. Add the permission ReadCatalog to its role.")
    if installed is None:
        fail(f"{handle}: the plugin {PACKAGE} is missing, and no webhooks are sent. Install it in Vendure.")
    if installed.webhooks is None:
        return []
    queue = installed.webhooks.queue
    return [
        {
            "topic": "events",
            "address": installed.webhooks.url,
            "secret": installed.webhooks.secret_name,
            "waiting": queue and queue.waiting,
            "waitingSince": queue and _time(queue.waiting_since),
            "lastDelivered": queue and queue.delivered_at,
            "failure": queue and queue.failure,
        }
    ]


def _time(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
