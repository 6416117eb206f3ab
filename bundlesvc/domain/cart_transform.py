"""The cart-transform step (docs/discount-string.md). A bundle that is still as configured becomes one line with a percentage
off. For any other bundle the step reports why its discount does not apply."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Self

from bundlesvc.domain.cart import BUNDLE_DATA, BundleData, BundlesAttribute, BundlesEntry, CartLine
from bundlesvc.domain.cart_checks import check_age, check_amount, check_fees, check_marks, check_owner, check_units
from bundlesvc.domain.discount_claims import MAX_AGE_DAYS, DiscountClaims, read_claims
from bundlesvc.domain.no_discount import NoDiscount

OpenDiscount = Callable[[str], Mapping[str, Any] | None]
"""Returns the claims of a discount string; None when no key decrypts it."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the step needs besides the cart: the shop's handle, a function that decrypts discount strings, the time (seconds
    since 1970), and the maximum age of a discount."""

    shop: str
    open_discount: OpenDiscount
    now: int
    max_age_days: int = MAX_AGE_DAYS


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
    """Why lines are charged in full: the code and sentence of `no_discount`, and details."""

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
    """The result of the step. Lines in no merge are charged in full."""

    merges: tuple[Merge, ...]
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """The discounted lines of one configured bundle, their marks, and its fees."""

    configured_id: int
    lines: list[CartLine] = field(default_factory=list)
    marks: list[BundleData] = field(default_factory=list)
    fees: list[CartLine] = field(default_factory=list)


def transform(lines: Sequence[CartLine], attribute: str | None, step: Step) -> Transformed:
    """Run the step on a cart: its lines, and the value of the attribute `_bundles`."""
    bundles = BundlesAttribute.read(attribute)
    merges: list[Merge] = []
    refusals = [
        Refusal.of(NoDiscount("line_unreadable"), None, [line.id])
        for line in lines
        if BUNDLE_DATA in line.properties and line.bundle_data is None
    ]
    for group in _groups(lines):
        try:
            merges.append(_merge(group, bundles.entry(group.configured_id), step))
        except NoDiscount as reason:
            refusals.append(Refusal.of(reason, group.configured_id, [line.id for line in group.lines]))
    return Transformed(tuple(merges), tuple(refusals))


def _groups(lines: Sequence[CartLine]) -> list[_Group]:
    """The bundles in the order of the cart. One with nothing left but fees is skipped."""
    marked = [(line, mark) for line in lines if (mark := line.bundle_data)]
    groups: dict[int, _Group] = {}
    for line, mark in marked:
        if not line.is_fee:
            group = groups.setdefault(mark.configured_id, _Group(mark.configured_id))
            group.lines.append(line)
            group.marks.append(mark)
    for line, mark in marked:
        if line.is_fee and mark.configured_id in groups:
            groups[mark.configured_id].fees.append(line)
    return list(groups.values())


def _merge(group: _Group, entry: BundlesEntry, step: Step) -> Merge:
    claims = _claims(entry, step.open_discount)
    check_owner(claims, group.configured_id, entry, step.shop)
    check_age(claims, step.now, step.max_age_days)
    check_marks(claims, group.marks)
    check_units(claims, group.lines)
    check_fees(claims, group.fees)
    check_amount(claims, group.lines)
    parent = group.marks[0].parent_variant_id
    return Merge(group.configured_id, parent, entry.title, entry.image, tuple(group.lines), claims.percentage)


def _claims(entry: BundlesEntry, open_discount: OpenDiscount) -> DiscountClaims:
    opened = open_discount(entry.discount)
    if opened is None:
        raise NoDiscount("discount_broken")
    claims = read_claims(opened)
    if claims is None:
        raise NoDiscount("discount_unreadable")
    return claims
