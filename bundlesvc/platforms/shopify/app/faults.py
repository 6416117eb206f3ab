"""Faults of an installed app and of its checkout function, each with the command or setting that fixes it."""

from collections.abc import Iterator, Mapping, Sequence

from bundlesvc.domain.checkout.checkout_function import InstalledFunction, InstalledPart, function_faults, key_name
from bundlesvc.domain.live_platform.connection import CheckoutState, ConnectionFault

CHECKOUT_FUNCTION = "checkout_function"

_CONNECT_AGAIN = (
    "Add them to the app, approve them in the shop, and connect again: bundlesvc platform connect --shop {handle}"
)
_DEPLOY = "Export it with `bundlesvc platform function export DIR`, and deploy it."
_ACTIVATE = "Activate it: bundlesvc platform function activate --shop {handle}"


def missing_scopes(scopes: Sequence[str], handle: str) -> ConnectionFault:
    """Return a fault that lists the access scopes that the app needs but lacks."""
    noun = "access scope" if len(scopes) == 1 else "access scopes"
    sentence = f"the app lacks the {noun} {', '.join(scopes)}."
    return ConnectionFault("access_scopes", sentence, _CONNECT_AGAIN.format(handle=handle))


def orders_not_read(scope: str, handle: str) -> str:
    """Explain that the app may not read orders, and how to change that."""
    return (
        f"orders are not read, because the app lacks the access scope {scope}; everything else works. To prove what orders "
        f"charged, add it to the app, approve it in the shop, and run: bundlesvc platform connect --shop {handle}; then "
        f"subscribe to its webhooks: bundlesvc platform webhooks subscribe --shop {handle} --url …"
    )


def missing_topics(topics: Sequence[str], handle: str) -> ConnectionFault:
    """Return a fault that lists the webhook topics to which the app is not subscribed."""
    subscribe = f"Subscribe: bundlesvc platform webhooks subscribe --shop {handle} --url https://…"
    return ConnectionFault("webhooks", f"not subscribed to {', '.join(topics)}: changes show late.", subscribe)


def checkout_state(installed: InstalledFunction, handle: str, discount_keys: Sequence[str]) -> CheckoutState:
    """Report whether the checkout function can apply native-bundle discounts that are encrypted with these keys."""
    parts = "; ".join(f"{part.name} {_described(part)}" for part in installed.parts)
    return CheckoutState(
        CHECKOUT_FUNCTION,
        f"the checkout function is active: {parts}",
        tuple(_faults(installed, handle, discount_keys)),
    )


def _faults(installed: InstalledFunction, handle: str, discount_keys: Sequence[str]) -> Iterator[ConnectionFault]:
    if installed.missing_scopes:
        scopes = ", ".join(installed.missing_scopes)
        sentence = f"the app lacks {scopes}: whether the discounts of native bundles are taken off is unknown."
        yield ConnectionFault(CHECKOUT_FUNCTION, sentence, _CONNECT_AGAIN.format(handle=handle))
        return
    for fault in function_faults(installed, handle, discount_keys):
        steps = [_DEPLOY] * fault.deploy + [_ACTIVATE.format(handle=handle)] * fault.activate
        yield ConnectionFault(CHECKOUT_FUNCTION, f"native bundles: {fault.sentence}", " ".join(steps))


def _described(part: InstalledPart) -> str:
    """Describe a part that has no faults: its version, its keys, and whether a failure of the part blocks the checkout."""
    keys = ", ".join(map(key_name, part.config.keys)) if part.config else ""
    switch: Mapping[bool | None, str] = {True: ", blockOnFailure on", False: ", blockOnFailure off"}
    return f"{part.version}, keys {keys}{switch.get(part.block_on_failure, '')}"
