"""The plugin that applies the discounts of native bundles to a shop's orders: its installation state, and its faults."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bundlesvc import __version__
from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.domain.live_platform.connection import CheckoutState, ConnectionFault
from bundlesvc.platforms.calls.call_errors import Denied
from bundlesvc.platforms.vendure.plugin_webhooks import PluginWebhooks, webhooks_of
from bundlesvc.platforms.vendure.replies import NO_SUCH_FIELD, QueryRefused
from bundlesvc.platforms.vendure.session import Session

CODE = "checkout_plugin"
PACKAGE = "@bundlesvc/vendure-plugin"

_INSTALL = f"Install {PACKAGE} {__version__} in Vendure, and start it again."
_KEYS = "Give the plugin the keys of this service, and start Vendure again: bundlesvc discount key"
_ENABLE = "Enable it in Vendure's admin under Promotions."


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """The plugin as installed in a shop. `keys` contains short names of its keys, from which the keys cannot be derived;
    `promotions` says, by channel, whether the promotion that applies the discounts is enabled. `webhooks` is None when the plugin
    sends no webhooks."""

    version: str
    keys: Sequence[str]
    promotions: Mapping[str, bool]
    webhooks: PluginWebhooks | None


async def installed_plugin(session: Session) -> InstalledPlugin | None:
    """Read the state of the installed plugin; None when it is not installed. Raises Denied when the key lacks the permission to
    read this state."""
    try:
        data = await session.attempt("plugin", explained=NO_SUCH_FIELD)
    except QueryRefused:
        return None
    with session.reading():
        state = data["bundlesvc"]
        promotions = {one["channel"]: bool(one["enabled"]) for one in state["promotion"]}
        webhooks = state["webhooks"] and webhooks_of(state["webhooks"])
        return InstalledPlugin(str(state["version"]), tuple(map(str, state["keys"])), promotions, webhooks)


async def checkout_state(session: Session, channels: Collection[str], discount_keys: Sequence[str]) -> CheckoutState:
    """Report whether the plugin can apply discounts encrypted with these keys. `channels` are the codes of the channels to
    check."""
    try:
        installed = await installed_plugin(session)
    except Denied:
        sentence = "native bundles: the key may not read the state of the plugin."
        return CheckoutState(
            CODE, faults=[ConnectionFault(CODE, sentence, "Add the permission ReadCatalog to its role.")]
        )
    if installed is None:
        sentence = f"native bundles: the plugin {PACKAGE} is missing, and orders are charged at full price."
        return CheckoutState(CODE, faults=[ConnectionFault(CODE, sentence, _INSTALL)])
    faults = tuple(_faults(installed, channels, [*map(key_name, discount_keys)]))
    return CheckoutState(CODE, f"the plugin is active: {installed.version}, keys {', '.join(installed.keys)}", faults)


def _faults(installed: InstalledPlugin, channels: Collection[str], keys: Sequence[str]) -> Iterator[ConnectionFault]:
    for sentence, remedy in _sentences(installed, channels, keys):
        yield ConnectionFault(CODE, f"native bundles: {sentence}", remedy)


def _sentences(installed: InstalledPlugin, channels: Collection[str], keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    if installed.version != __version__:
        yield f"the plugin is {installed.version}, and this service is {__version__}.", _INSTALL
    lacking = [key for key in keys if key not in installed.keys]
    old = [key for key in installed.keys if key not in keys]
    if lacking:
        yield f"the plugin lacks the key {', '.join(lacking)}.", _KEYS
    if old:
        yield f"the plugin has a key that this service no longer has, {', '.join(old)}.", _KEYS
    for channel in channels:
        if channel not in installed.promotions:
            yield (
                f"the plugin has no promotion in the channel {channel}.",
                "Start Vendure again: the plugin creates it.",
            )
        elif not installed.promotions[channel]:
            yield f"the promotion of the plugin is disabled in the channel {channel}.", _ENABLE
