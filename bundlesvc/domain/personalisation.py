"""Personalisation: a shopper's answers to the fields of a product (docs/contract.md#features)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle, PersonalisationField
from bundlesvc.domain.errors import MAX_DETAILS, Fault, PersonalisationInvalid
from bundlesvc.domain.line import Line
from bundlesvc.domain.selection import SelectedItem, Units
from bundlesvc.domain.shop import PERSONALISATION, Shop
from bundlesvc.domain.texts.characters import hidden_in_lines

TEXT, DROPDOWN, CHECKBOX, IMAGE = "text", "dropdown", "checkbox", "image"
FIELD_TYPES = (TEXT, DROPDOWN, CHECKBOX, IMAGE)

DEFAULT_CHARACTER_LIMIT = 500
"""The character limit, in UTF-16 code units, of a text field that sets no limit of its own."""

MAX_ANSWERS_BYTES = 20_000
"""The limit, in bytes of UTF-8, for all answers in a request together. The answers are limited because they are stored and become
part of cart lines."""

_HTTPS_ADDRESS = re.compile(r"https://[^\s/?#@]+(?:[/?#]\S*)?\Z")
_MAX_ADDRESS = 2048


class LinePersonalisation(NamedTuple):
    """The result of converting a line's answers: the cart properties by label, the variants of the fees, and the field key of
    each property."""

    properties: Mapping[str, str]
    fee_variant_ids: tuple[int, ...]
    keys: tuple[str, ...]


NOT_PERSONALISED = LinePersonalisation({}, (), ())


def check_answers(shop: Shop, bundle: Bundle, units: Units, *, complete: bool) -> None:
    """Check every answer against its field. With `complete`, required answers must be present. When personalisation is not
    enabled for the shop, answers are neither accepted nor required. Raises PersonalisationInvalid with the faults."""
    fields = bundle.personalisation if shop.has(PERSONALISATION) else {}
    checked = [item for item in units if item.answers or (complete and item.product_id in fields)]
    if not checked:
        return
    _check_size(units)
    indexes = merge(*([(index, item) for index in units[item]] for item in checked))
    found = (
        Fault(f"products.{index}.personalisation.{key}", code, message)
        for index, item in indexes
        for key, code, message in _faults(item, fields.get(item.product_id, ()), complete=complete)
    )
    if faults := list(islice(found, MAX_DETAILS)):  # a body can contain 100,000 answers to unknown fields
        raise PersonalisationInvalid(faults)


def character_limit(field: PersonalisationField) -> int | None:
    """Return the maximum length of an answer in UTF-16 code units; None when the field sets no limit and is not a text field."""
    return field.character_limit or (DEFAULT_CHARACTER_LIMIT if field.type == TEXT else None)


def personalised(bundle: Bundle, line: Line) -> LinePersonalisation:
    """Return the properties and fees that result from a line's answers. When several fields have the same label, the last one
    becomes the property."""
    if not line.answers:
        return NOT_PERSONALISED
    answers = dict(line.answers)
    answered = [field for field in bundle.personalisation.get(line.product.id, ()) if answers.get(field.key)]
    fees = tuple(field.fee.variant_id for field in answered if field.fee)
    keys = {field.label: field.key for field in answered}
    return LinePersonalisation({label: answers[key] for label, key in keys.items()}, fees, tuple(keys.values()))


def _check_size(units: Units) -> None:
    size = sum(len(indexes) * len(answer.encode()) for item, indexes in units.items() for _, answer in item.answers)
    if size > MAX_ANSWERS_BYTES:
        message = f"All answers together take {size} bytes; a request may have at most {MAX_ANSWERS_BYTES}."
        raise PersonalisationInvalid([Fault("products", "answers_too_long", message)])


def _faults(
    item: SelectedItem, fields: Sequence[PersonalisationField], *, complete: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield the faults in an item's answers, each as a key, a code and a message."""
    answers = dict(item.answers)
    by_key = {field.key: field for field in fields}
    for key in sorted(answers.keys() - by_key.keys()):
        yield key, "unknown_field", "This product has no such field."
    for key, field in by_key.items():
        answer = answers.get(key, "")
        if not answer:
            if field.required and complete:
                yield key, "required", f"{field.label} is required."
        elif reason := _refusal(field, answer):
            yield key, *reason


def _refusal(field: PersonalisationField, answer: str) -> tuple[str, str] | None:
    """Return the code and message of the fault in an answer; None when the answer is valid."""
    limit = character_limit(field)
    if field.type == TEXT and limit is not None and _utf16_units(answer) > limit:
        return "too_long", f"{field.label} takes at most {limit} characters."
    if field.type == DROPDOWN and answer not in field.options:
        return "not_offered", f"{field.label} must be one of: {', '.join(field.options)}."
    if field.type == CHECKBOX and answer != "true":
        return "invalid", f"{field.label} must be true, or left out."
    if field.type == IMAGE and not (len(answer) <= _MAX_ADDRESS and _HTTPS_ADDRESS.match(answer)):
        return "invalid", f"{field.label} must be the https address of an image."
    if field.type in (TEXT, IMAGE) and (hidden := hidden_in_lines(answer)):
        return "invalid_character", f"{field.label} contains the character {hidden}, which cannot be printed."
    return None


def _utf16_units(text: str) -> int:
    """Return the length of a string in UTF-16 code units, as browsers count it."""
    return len(text.encode("utf-16-le")) // 2
