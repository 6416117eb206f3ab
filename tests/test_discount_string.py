"""The code in docs/discount-string.md decrypts discount strings that the service has created."""

import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from bundlesvc.domain.bundle import NATIVE
from bundlesvc.domain.checkout.discount_claims import MAX_NAMED_VARIANTS
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import NO_DISCOUNT, Pricing
from bundlesvc.token_cipher import discount_cipher
from tests.domain.configured_bundles import claims_of

GUIDE = Path(__file__).parents[1] / "docs" / "discount-string.md"
KEY = Fernet.generate_key().decode()
NOW = 1_800_000_000


@pytest.fixture(scope="module")
def guide() -> dict[str, Any]:
    """Run the guide's code, and return the names that it defines."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL):
        exec(block, names)
    return names


def configured(distinct: int) -> ConfiguredBundle:
    items = tuple(ConfiguredItem(variant, 1, 1, 2, "Cup", "", ZERO) for variant in range(9, 9 + distinct))
    pricing = Pricing(ZERO, ZERO, NO_DISCOUNT, ZERO, "EUR")
    return ConfiguredBundle(5, 42, NATIVE, "Box", 900, None, False, "f" * 32, pricing, items, NOW)


@pytest.mark.parametrize("distinct", [1, MAX_NAMED_VARIANTS, MAX_NAMED_VARIANTS + 1])
def test_code_of_the_guide_decrypts_a_token(guide: dict[str, Any], distinct: int) -> None:
    made = configured(distinct)
    claims = claims_of(made)
    opened = guide["open_discount"](discount_cipher([KEY]).seal(claims, NOW), guide["discount_key"](KEY))
    assert opened == claims
    units = {str(variant): 2 for variant in range(9, 9 + distinct)}
    assert guide["same_units"](opened["variants"], units)
    assert not guide["same_units"](opened["variants"], {**units, "9": 3})


def test_code_of_the_guide_refuses_a_token_of_another_key(guide: dict[str, Any]) -> None:
    token = discount_cipher([Fernet.generate_key().decode()]).seal({}, NOW)
    with pytest.raises(ValueError, match="did not make"):
        guide["open_discount"](token, guide["discount_key"](KEY))
