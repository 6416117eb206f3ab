"""For each bundle of the demo shop, a selection that can be bought at a discount."""

from dataclasses import dataclass, field
from typing import Any

from tests.browser.builder import Builder

EMAIL = "mira@mail.example"


@dataclass(frozen=True)
class Choice:
    """Units of a product, in the variant with these option values."""

    title: str
    values: tuple[str, ...] = ()
    times: int = 1


@dataclass(frozen=True)
class Basket:
    """A selection for a bundle; `answers` are for the only unit with personalisation fields."""

    choices: tuple[Choice, ...]
    answers: dict[str, str] = field(default_factory=dict)
    how_often: str | None = None

    def fill(self, builder: Builder) -> None:
        for choice in self.choices:
            builder.choose(choice.title, *choice.values, times=choice.times)
            for label, answer in self.answers.items():
                if choice is self.choices[0]:
                    builder.answer(label, answer)
        if self.how_often:
            builder.subscribe(self.how_often, EMAIL)


def basket(*choices: Choice, **more: Any) -> Basket:
    return Basket(choices, **more)


BASKETS = {
    101: basket(Choice("First Light", ("1 kg",)), Choice("Harbour Blend"), Choice("Oat Shortbread", times=3)),
    102: basket(Choice("First Light", ("Filter",)), Choice("Ethiopia Yirgacheffe"), Choice("Sumatra Gayo")),
    103: basket(Choice("Hand Grinder")),
    104: basket(Choice("Harbour Blend", times=6)),
    105: basket(Choice("Drip Bag", ("First Light",), 5), Choice("Drip Bag", ("Decaf",), 5)),
    106: basket(Choice("First Light", ("1 kg",)), Choice("Harbour Blend", ("1 kg",))),
    107: basket(Choice("Espresso Cups", times=2), Choice("Stoneware Mug", ("Ink",)), Choice("Tea Towel", ("Rust",))),
    108: basket(Choice("First Light"), Choice("Ethiopia Yirgacheffe", ("Filter",), 2), how_often="Every 2 weeks"),
    109: basket(
        Choice("Stoneware Mug", ("Clay",)),
        Choice("Harbour Blend"),
        answers={"Lettering": "Mira", "Hand": "Script", "Wrap it": "yes"},
    ),
    110: basket(Choice("First Light", ("1 kg",)), Choice("Chocolate Beans", times=4), Choice("Greeting Card")),
    111: basket(Choice("First Light", times=2), Choice("Oat Shortbread")),
}
