"""Which e-mail addresses are considered the same, and which strings mention an address."""

import pytest

from bundlesvc.domain.shopper import is_same_address, mentions


@pytest.mark.parametrize(
    "text",
    [
        "ann@mail.example",
        "ANN@Mail.Example",
        "write to ann@mail.example.",
        "<ann@mail.example>",
        "mailto:ann@mail.example?subject=x",
        "Ann,ann@mail.example,Berlin",
        "first line\nann@mail.example\nlast line",
    ],
)
def test_a_text_with_the_address_mentions_it(text: str) -> None:
    assert mentions(text, "Ann@mail.example")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "joann@mail.example",
        "jo.ann@mail.example",
        "jo+ann@mail.example",
        "ann@mail.example.org",
        "ann@mail.examples",
        "ann@mailxexample",
        "ann@other.example",
    ],
)
def test_a_part_of_another_address_is_not_the_address(text: str) -> None:
    assert not mentions(text, "ann@mail.example")


def test_addresses_are_compared_case_insensitively() -> None:
    assert is_same_address("ÄNN@mail.example", "änn@MAIL.example")
    assert not is_same_address("ann@mail.example", "anna@mail.example")
