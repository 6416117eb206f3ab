"""What the cart-transform step makes of a cart (docs/discount-string.md): a bundle that is as it was configured becomes one
line with a percentage off; of any other it is said why its discount does not apply."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Self

from bundlesvc.domain.bundles_attribute import BundlesAttribute, BundlesEntry
from bundlesvc.domain.discount_claims import Claims, read_claims
from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.money import ZERO, amount_text
from bundlesvc.domain.no_discount import NoDiscount

BUNDLE_DATA, BUNDLE_FEE = "_bundle_data", "_bundle_fee"
"""Properties that configure puts on lines (spec, "Cart payload"; design 11)."""

OpenDiscount = Callable[[str], Mapping[str, Any] | None]
"""The claims of a discount string; None when no key opens it."""


@dataclass(frozen=True, slots=True)
class BundleData:
    """What `_bundle_data` says: which configured bundle a line belongs to."""

    configured_id: int
    parent_variant_id: int
    unique_id: str

    @classmethod
    def read(cls, text: str) -> Self | None:
        """None when it cannot be read."""
        parts = text.split("#")
        ids = [parse_id(part) for part in parts[:2]]
        if len(parts) != 3 or None in ids or not parts[2]:  # noqa: PLR2004 - the three parts of the property
            return None
        return cls(int(parts[0]), int(parts[1]), parts[2])


@dataclass(frozen=True, slots=True)
class CartLine:
    """A line of a cart; `unit_price` in shop currency, as the shopper's market has it."""

    id: str
    variant_id: int
    quantity: int
    unit_price: Decimal
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def amount(self) -> Decimal:
        return self.unit_price * self.quantity

    @property
    def is_fee(self) -> bool:
        """Fees are charged in full, beside their bundle."""
        return BUNDLE_FEE in self.properties

    @property
    def bundle_data(self) -> BundleData | None:
        return BundleData.read(self.properties.get(BUNDLE_DATA, ""))


@dataclass(frozen=True, slots=True)
class Merge:
    """A bundle that becomes one line of its parent variant, with `percentage` off the sum of its lines."""

    configured_id: int
    parent_variant_id: int
    title: str
    image: str
    lines: tuple[CartLine, ...]
    percentage: Decimal


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why lines are charged as they stand: code and sentence of `no_discount`, and what else there is to tell."""

    code: str
    message: str
    configured_id: int | None
    line_ids: tuple[str, ...]
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, reason: NoDiscount, configured_id: int | None, line_ids: Iterable[str]) -> Self:
        return cls(reason.code, str(reason), configured_id, tuple(line_ids), reason.details)


@dataclass(frozen=True, slots=True)
class Transformed:
    """What the step comes to. Lines that are in no merge are charged as they stand."""

    merges: tuple[Merge, ...]
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """The lines of one configured bundle that its discount covers, and their marks."""

    configured_id: int
    lines: list[CartLine] = field(default_factory=list)
    marks: list[BundleData] = field(default_factory=list)


def transform(lines: Sequence[CartLine], attribute: str | None, open_discount: OpenDiscount, shop: str) -> Transformed:
    """The step over a cart of this shop (its handle): the lines, and the value of the attribute `_bundles`."""
    bundles = BundlesAttribute.read(attribute)
    merges: list[Merge] = []
    refusals = [
        Refusal.of(NoDiscount("line_unreadable"), None, [line.id])
        for line in lines
        if BUNDLE_DATA in line.properties and line.bundle_data is None
    ]
    for group in _groups(lines):
        try:
            merges.append(_merge(group, bundles.entry(group.configured_id), open_discount, shop))
        except NoDiscount as reason:
            refusals.append(Refusal.of(reason, group.configured_id, [line.id for line in group.lines]))
    return Transformed(tuple(merges), tuple(refusals))


def _groups(lines: Sequence[CartLine]) -> list[_Group]:
    """In the order of the cart."""
    groups: dict[int, _Group] = {}
    for line in lines:
        mark = line.bundle_data
        if mark and not line.is_fee:
            group = groups.setdefault(mark.configured_id, _Group(mark.configured_id))
            group.lines.append(line)
            group.marks.append(mark)
    return list(groups.values())


def _merge(group: _Group, entry: BundlesEntry, open_discount: OpenDiscount, shop: str) -> Merge:
    claims = _claims(entry, open_discount)
    _check_owner(claims, group.configured_id, entry, shop)
    _check_marks(claims, group.marks)
    _check_units(claims, group.lines)
    _check_amount(claims, group.lines)
    parent = group.marks[0].parent_variant_id
    return Merge(group.configured_id, parent, entry.title, entry.image, tuple(group.lines), claims.percentage)


def _claims(entry: BundlesEntry, open_discount: OpenDiscount) -> Claims:
    opened = open_discount(entry.discount)
    if opened is None:
        raise NoDiscount("discount_broken")
    claims = read_claims(opened)
    if claims is None:
        raise NoDiscount("discount_unreadable")
    return claims


def _check_owner(claims: Claims, configured_id: int, entry: BundlesEntry, shop: str) -> None:
    if claims.shop != shop:
        raise NoDiscount("other_shop")
    if claims.configured_id != configured_id:
        raise NoDiscount("other_configured_bundle")
    if entry.bundle_id is not None and entry.bundle_id != claims.bundle_id:
        raise NoDiscount("other_bundle", promised=claims.bundle_id, found=entry.bundle_id)
    if claims.test:
        raise NoDiscount("test_discount")


def _check_marks(claims: Claims, marks: Sequence[BundleData]) -> None:
    if any(mark.unique_id != claims.unique_id for mark in marks):
        raise NoDiscount("unique_mismatch")
    if len({mark.parent_variant_id for mark in marks}) > 1:
        raise NoDiscount("parents_differ")


def _check_units(claims: Claims, lines: Sequence[CartLine]) -> None:
    found: Counter[int] = Counter()
    for line in lines:
        found[line.variant_id] += line.quantity
    if claims.covers(found):
        return
    if isinstance(claims.variants, str):
        raise NoDiscount("lines_changed")
    promised = Counter(claims.variants)
    differing = sorted(variant for variant in promised | found if promised[variant] != found[variant])
    counts = [
        {"variantId": str(variant), "promised": promised[variant], "found": found[variant]} for variant in differing
    ]
    if any(not found[variant] for variant in differing):
        raise NoDiscount("lines_missing", variants=counts)
    if any(not promised[variant] for variant in differing):
        raise NoDiscount("lines_extra", variants=counts)
    raise NoDiscount("quantity_changed", variants=counts)


def _check_amount(claims: Claims, lines: Sequence[CartLine]) -> None:
    amount = sum((line.amount for line in lines), ZERO)
    if amount != claims.original:
        raise NoDiscount("prices_changed", promised=amount_text(claims.original), found=amount_text(amount))
