"""The option values in a mutation's input for a variant."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.standin.data.gids import gid
from tests.standin.data.shop import Option, OptionValue, Product, Shop

Choice = Mapping[str, Any]


def chosen_option(product: Product, choice: Choice) -> Option | None:
    """Find the option that a choice refers to by id or name."""
    return next((option for option in product.options if _names(choice, option)), None)


def chosen_values(product: Product, choices: Sequence[Choice], before: Sequence[str | None]) -> list[str | None]:
    """Return a value for each option, in the order of the product's options. Options without a choice keep their value from
    `before`."""
    values = list(before)
    for index, option in enumerate(product.options):
        for choice in choices:
            if _names(choice, option):
                values[index] = _value_name(option, choice)
    return values


def make_values(shop: Shop, product: Product, values: Sequence[str]) -> None:
    """Add each of these values to the product's option in the same position, unless the option has it already."""
    for option, name in zip(product.options, values, strict=True):
        if option.value(name) is None:
            option.values.append(OptionValue(shop.new_id(), name))


def _names(choice: Choice, option: Option) -> bool:
    if choice.get("optionId") is not None:
        return bool(choice["optionId"] == gid("ProductOption", option.id))
    return choice.get("optionName") == option.name


def _value_name(option: Option, choice: Choice) -> str | None:
    """Return the name of the chosen value, which is given by name or by the id of an existing value."""
    if choice.get("name") is not None:
        return str(choice["name"])
    ids = {gid("ProductOptionValue", value.id): value.name for value in option.values}
    return ids.get(choice.get("id") or "")
