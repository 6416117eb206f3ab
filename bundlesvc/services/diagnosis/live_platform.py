"""Results of checking a shop's connection to its live platform, and the app there."""

from collections.abc import Iterator, Mapping, Sequence

from bundlesvc.domain.checkout.checkout_function import InstalledFunction, InstalledPart, function_faults, key_name
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import LoggedWarnings
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult

PLATFORM_FAULTS = (PlatformNotConnected, PlatformUnavailable, PlatformFailed, PlatformTimeout)
"""The errors of a live platform; StorageUnavailable may be raised too."""

_CONNECT_AGAIN = (
    "Add them to the app, approve them in the shop, and connect again: bundlesvc platform connect --shop {handle}"
)
_DEPLOY = "Export it with `bundlesvc platform function export DIR`, and deploy it."
_ACTIVATE = "Activate it: bundlesvc platform function activate --shop {handle}"


def reason_of(error: Unavailable, tenant: Tenant, warnings: LoggedWarnings) -> str:
    """Why a shop's platform fails: the warnings that were logged, which quote the platform's own words, or the error."""
    logged = warnings.take()
    if logged:
        return f"{'; '.join(logged)}."
    if isinstance(error, PlatformNotConnected):
        return (
            "not connected, or connected with another domain or other BUNDLESVC_SECRET_KEYS. Connect it: "
            f"bundlesvc platform connect --shop {tenant.shop.handle}"
        )
    return f"{tenant.shop.platform.domain}: {error}"


def missing_scopes(scopes: Sequence[str], handle: str) -> CheckResult:
    """The access scopes that the app needs and lacks."""
    noun = "access scope" if len(scopes) == 1 else "access scopes"
    return CheckResult(
        FAULT,
        "access_scopes",
        f"the app lacks the {noun} {', '.join(scopes)}.",
        _CONNECT_AGAIN.format(handle=handle),
        handle,
    )


def function_results(installed: InstalledFunction, handle: str, discount_keys: Sequence[str]) -> Iterator[CheckResult]:
    """Results of checking whether the checkout function can apply the discounts of native bundles encrypted with these
    keys."""
    code = "checkout_function"
    if installed.missing_scopes:
        scopes = ", ".join(installed.missing_scopes)
        sentence = f"the app lacks {scopes}: whether the discounts of native bundles are taken off is unknown."
        yield CheckResult(FAULT, code, sentence, _CONNECT_AGAIN.format(handle=handle), handle)
        return
    faults = list(function_faults(installed, handle, discount_keys))
    for fault in faults:
        steps = [_DEPLOY] * fault.deploy + [_ACTIVATE.format(handle=handle)] * fault.activate
        yield CheckResult(FAULT, code, f"native bundles: {fault.sentence}", " ".join(steps), handle)
    if not faults:
        parts = "; ".join(f"{part.name} {_described(part)}" for part in installed.parts)
        yield CheckResult(OK, code, f"the checkout function is active: {parts}", shop=handle)


def _described(part: InstalledPart) -> str:
    """A sentence about a part without faults: its version, its keys, and whether its failure stops the checkout."""
    keys = ", ".join(map(key_name, part.config.keys)) if part.config else ""
    switch: Mapping[bool | None, str] = {True: ", blockOnFailure on", False: ", blockOnFailure off"}
    return f"{part.version}, keys {keys}{switch.get(part.block_on_failure, '')}"


def old_secret(handle: str) -> CheckResult:
    sentence = (
        "two client secrets are accepted. When the old one is revoked in the app's settings, drop it: "
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
    """The remedy for credentials that no secret key decrypts."""
    return (
        "Add the key that encrypted them to the end of BUNDLESVC_SECRET_KEYS, or connect it again: "
        f"bundlesvc platform connect --shop {handle}"
    )
