"""The content of a configured bundle in plain words (docs/contract.md#look-ups)."""

from decimal import Decimal

import pytest

from bundlesvc.domain.configured import ConfiguredItem, content_text


def item(variant: int, count: int = 1, *, section: int = 1, named: str = "S", title: str = "Shirt") -> ConfiguredItem:
    return ConfiguredItem(variant, variant // 10, section, count, title, named, Decimal("1.00"))


@pytest.mark.parametrize(
    ("items", "text"),
    [
        pytest.param([], "", id="nothing"),
        pytest.param([item(11, 2)], "2 x Shirt - S", id="one line"),
        pytest.param([item(11, named="Default Title")], "1 x Shirt", id="unnamed"),
        pytest.param([item(11, named="default title")], "1 x Shirt - default title", id="a name that looks alike"),
        pytest.param(
            [item(21, title="Mug"), item(11), item(12, named="M")],
            "1 x Mug - S\n1 x Shirt - S\n1 x Shirt - M",
            id="in the order of the selection",
        ),
        pytest.param(
            [item(11, 2), item(21, title="Mug"), item(11, 3, section=2)],
            "5 x Shirt - S\n1 x Mug - S",
            id="sections are merged where the variant comes first",
        ),
        pytest.param(
            [item(11, named="Default Title"), item(12, named="Default Title")],
            "1 x Shirt\n1 x Shirt",
            id="variants that read alike are two",
        ),
        pytest.param([item(11, 200)], "200 x Shirt - S", id="many"),
    ],
)
def test_content_has_a_line_for_each_variant(items: list[ConfiguredItem], text: str) -> None:
    assert content_text(items) == text
