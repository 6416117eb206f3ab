"""The checkout function, which applies the discounts of native bundles in a live shop: how it is installed, and faults in the
installation."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CART_TRANSFORM, DISCOUNT = "cart transform", "discount"
"""The two parts of the function: merging the lines of a bundle, and discounting lines that cannot be merged because of a
selling plan."""


@dataclass(frozen=True, slots=True)
class FunctionConfig:
    """The configuration that the checkout function reads from its metafield: the shop's handle, the keys for discount strings
    (newest first), and the maximum age of a discount. When the age is None, the metafield omits it, and the function uses its own
    default."""

    shop: str
    keys: tuple[str, ...] = field(repr=False)
    max_age_days: int | None = None


@dataclass(frozen=True, slots=True)
class InstalledPart:
    """One of the two parts of the checkout function, as installed in a shop. `version` is the deployed version: None when none is
    deployed, empty when it is unknown. `config` is None when the part is not active or has no readable metafield.
    `block_on_failure` is None when the part has no switch of this name. `copies` is the number of times that the part is
    active."""

    name: str
    version: str | None
    active: bool = False
    config: FunctionConfig | None = None
    block_on_failure: bool | None = None
    copies: int = 1


@dataclass(frozen=True, slots=True)
class InstalledFunction:
    """The checkout function as installed in a shop. `current` is the version that comes with this service. When the app lacks the
    `missing_scopes`, it cannot read the installation, and `parts` is empty."""

    current: str
    parts: Sequence[InstalledPart] = ()
    missing_scopes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FunctionFault:
    """A fault in the installation of the checkout function, and its remedy: deploying the function, activating it, or both."""

    sentence: str
    deploy: bool = False
    activate: bool = True


def key_name(key: str) -> str:
    """Return a short name for a secret key. It is safe to show, because it does not reveal the key."""
    return hashlib.sha256(key.encode()).hexdigest()[:8]


def module_of(version: str) -> str:
    """Return the part of a version that identifies the module."""
    return version.rpartition("+")[2]


def function_faults(installed: InstalledFunction, shop: str, keys: Sequence[str]) -> Iterator[FunctionFault]:
    """Yield the faults that prevent discounts encrypted with these keys from being applied."""
    for part in installed.parts:
        if part.version is None:
            yield FunctionFault(f"the app has no function for the {part.name}.", deploy=True)
            continue
        if module_of(part.version) != module_of(installed.current):
            version = part.version or "an unknown version"
            sentence = f"the function for the {part.name} is {version}, and this service has {installed.current}."
            yield FunctionFault(sentence, deploy=True, activate=False)
        if not part.active:
            yield FunctionFault(f"the {part.name} is not active.")
        else:
            yield from _active_faults(part, shop, keys)


def _active_faults(part: InstalledPart, shop: str, keys: Sequence[str]) -> Iterator[FunctionFault]:
    if part.copies > 1:
        sentence = f"{part.copies} of the {part.name} are active: end all but one in the shop's admin."
        yield FunctionFault(sentence, activate=False)
    if part.config is None:
        yield FunctionFault(f"the {part.name} has no readable configuration.")
        return
    if part.config.shop != shop:
        yield FunctionFault(f"the {part.name} is configured for another shop, {part.config.shop}.")
    lacking = [key_name(key) for key in keys if key not in part.config.keys]
    old = [key_name(key) for key in part.config.keys if key not in keys]
    if lacking:
        yield FunctionFault(f"the {part.name} lacks the key {', '.join(lacking)}.")
    if old:
        yield FunctionFault(f"the {part.name} has a key that this service no longer has, {', '.join(old)}.")
