"""The faults that are found in an installed checkout function."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.checkout.checkout_function import (
    CART_TRANSFORM,
    DISCOUNT,
    FunctionConfig,
    InstalledFunction,
    InstalledPart,
    function_faults,
    key_name,
)

CURRENT = "0.2.0+1f0c52ab9d3e"
CONFIG = FunctionConfig("demo", ("new", "old"))
PARTS = [InstalledPart(name, CURRENT, active=True, config=CONFIG) for name in (CART_TRANSFORM, DISCOUNT)]


def faults(*parts: InstalledPart, keys: tuple[str, ...] = ("new", "old")) -> list[str]:
    return [fault.sentence for fault in function_faults(InstalledFunction(CURRENT, parts), "demo", keys)]


def test_function_as_it_should_be_has_no_faults() -> None:
    assert faults(*PARTS) == []


def test_the_order_of_keys_does_not_matter() -> None:
    assert faults(*PARTS, keys=("old", "new")) == []


@pytest.mark.parametrize("version", ["0.1.0+1f0c52ab9d3e", CURRENT])
def test_the_same_module_is_current_whatever_the_version_of_the_service(version: str) -> None:
    assert faults(replace(PARTS[0], version=version)) == []


@pytest.mark.parametrize("version", ["0.2.0+000000000000", "0.2.0", ""])
def test_another_module_must_be_deployed_and_not_activated(version: str) -> None:
    (fault,) = function_faults(InstalledFunction(CURRENT, [replace(PARTS[0], version=version)]), "demo", CONFIG.keys)
    assert (fault.deploy, fault.activate) == (True, False)


def test_a_part_that_is_not_deployed_has_one_fault() -> None:
    part = InstalledPart(DISCOUNT, None)
    (fault,) = function_faults(InstalledFunction(CURRENT, [part]), "demo", CONFIG.keys)
    assert (fault.deploy, fault.activate) == (True, True)


def test_missing_and_old_keys_are_both_faults() -> None:
    assert faults(PARTS[0], keys=("newer", "new")) == [
        f"the cart transform lacks the key {key_name('newer')}.",
        f"the cart transform has a key that this service no longer has, {key_name('old')}.",
    ]


@given(st.text(min_size=20))
def test_names_of_keys_are_short_and_do_not_contain_them(key: str) -> None:
    assert len(key_name(key)) == 8
    assert key_name(key) == key_name(key)
    assert key not in key_name(key)


def test_keys_are_not_in_the_representation_of_a_configuration() -> None:
    assert "new" not in repr(CONFIG)
