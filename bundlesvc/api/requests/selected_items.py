"""The items of a selection in a request, checked in one loop instead of by nested schemas."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from marshmallow import ValidationError, fields

from bundlesvc.api.requests.fields import NOT_A_LIST, NOT_AN_OBJECT, number_of_id, whole_number
from bundlesvc.api.requests.parsing import REQUIRED
from bundlesvc.domain.errors import MAX_DETAILS
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.line import Answers
from bundlesvc.domain.selection import SelectedItem, Units, units_of


class Items(fields.Field[Units]):
    """The `products` of a selection, checked in one loop, which is far faster than nested schemas."""

    default_error_messages = {
        "required": REQUIRED,
        "null": REQUIRED,
        "invalid": NOT_A_LIST,
    }

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Units:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        items: list[SelectedItem] = []
        faults: dict[int, dict[str, list[str]]] = {}
        ids = _Ids()
        for index, item in enumerate(value):
            try:
                variant, product = ids.variant(item["variant"]), ids.product(item["product"])
                answers = _answers(item["personalisation"]) if "personalisation" in item else ()
                items.append(SelectedItem(variant, product, _section(item["section"]), answers))
            except (KeyError, TypeError, ValidationError):
                faults[index] = _item_faults(item, ids)
                if len(faults) >= MAX_DETAILS:
                    break
        if faults:
            raise ValidationError(cast("Any", faults))
        return units_of(items)


class _Ids:
    """Parses each distinct id only once, because ids often repeat among the items of a selection."""

    def __init__(self) -> None:
        self._variants: dict[object, int] = {}
        self._products: dict[object, int] = {}

    def variant(self, text: object) -> int:
        return _number(text, "ProductVariant", self._variants)

    def product(self, text: object) -> int:
        return _number(text, "Product", self._products)


def _number(text: object, kind: str, seen: dict[object, int]) -> int:
    if isinstance(text, str) and text in seen:
        return seen[text]
    number = seen[text] = number_of_id(text, kind)
    return number


def _section(section: object) -> int:
    number = whole_number(section)
    if number is None or not 0 <= number <= MAX_ID:
        raise ValidationError("Must be a section id, or 0.")
    return number


def _answers(personalisation: object) -> Answers:
    """Convert personalisation to answers by key, and drop the empty ones."""
    if personalisation is None:
        return ()
    if not isinstance(personalisation, dict):
        raise ValidationError(NOT_AN_OBJECT)
    answers = {key: _answer(value) for key, value in personalisation.items()}
    return tuple(sorted((key, answer) for key, answer in answers.items() if answer))


def _answer(value: object) -> str:
    """Convert an answer to a string: text stays unchanged, a ticked box becomes "true", no answer becomes ""."""
    if isinstance(value, bool):
        return "true" if value else ""
    if value is not None and (not isinstance(value, str) or "\0" in value):
        raise ValidationError("Must map keys to strings, true or false.")
    return value or ""


def _item_faults(item: object, ids: _Ids) -> dict[str, list[str]]:
    """Find every fault in a selected item, by field."""
    if not isinstance(item, dict):
        return {"_schema": [NOT_AN_OBJECT]}
    checks: dict[str, Callable[[object], int]] = {"variant": ids.variant, "product": ids.product, "section": _section}
    faults = {name: [reason] for name, check in checks.items() if (reason := _reason(item.get(name), check))}
    if item.get("personalisation") is not None and (reason := _reason(item["personalisation"], _answers)):
        faults["personalisation"] = [reason]
    return faults


def _reason(value: object, check: Callable[[object], object]) -> str | None:
    """Return the message when a check refuses this value, otherwise None."""
    if value is None:
        return REQUIRED
    try:
        check(value)
    except ValidationError as error:
        return str(error.messages[0])
    return None
