"""Results of checking a shop's connection to its live platform and the app that is installed on that platform."""

from collections.abc import Iterator

from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.live_platform.connection import CheckoutState, ConnectionFault
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import LoggedWarnings
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult

PLATFORM_FAULTS = (PlatformNotConnected, PlatformUnavailable, PlatformFailed, PlatformTimeout)
"""The errors that a live platform raises. StorageUnavailable may also be raised."""


def reason_of(error: Unavailable, tenant: Tenant, warnings: LoggedWarnings) -> str:
    """Return the reason why a shop's platform fails: the logged warnings, which quote the platform's own message, or the
    error."""
    logged = warnings.take()
    if logged:
        return f"{'; '.join(logged)}."
    if isinstance(error, PlatformNotConnected):
        return (
            "not connected, or connected with another domain or other BUNDLESVC_SECRET_KEYS. Connect it: "
            f"bundlesvc platform connect --shop {tenant.shop.handle}"
        )
    return f"{tenant.shop.platform.domain}: {error}"


def fault_result(fault: ConnectionFault, handle: str) -> CheckResult:
    """Build the result for a fault on the platform's side."""
    return CheckResult(FAULT, fault.code, fault.sentence, fault.remedy, handle)


def checkout_results(state: CheckoutState, handle: str) -> Iterator[CheckResult]:
    """Yield the results of checking whether the checkout applies the discounts of native bundles."""
    for fault in state.faults:
        yield fault_result(fault, handle)
    if not state.faults:
        yield CheckResult(OK, state.code, state.sentence, shop=handle)


def old_secret(handle: str) -> CheckResult:
    sentence = (
        "two secrets for webhooks are accepted. When the old one is no longer in use, drop it: "
        f"bundlesvc platform secret drop --shop {handle}"
    )
    return CheckResult(NOTE, "client_secret", sentence, shop=handle)


def older_key(handle: str) -> CheckResult:
    sentence = (
        "its credentials are encrypted with an older secret key, or by an earlier version. Encrypt them with the first key: "
        "bundlesvc secrets reseal"
    )
    return CheckResult(NOTE, "secret_keys", sentence, shop=handle)


def decryption_remedy(handle: str) -> str:
    """Return the remedy for credentials that no secret key can decrypt."""
    return (
        "Add the key that encrypted them to the end of BUNDLESVC_SECRET_KEYS, or connect it again: "
        f"bundlesvc platform connect --shop {handle}"
    )
