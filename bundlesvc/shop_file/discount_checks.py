"""What must hold inside of a discount, a bundle's own or one of its conditions; reads the raw tree (see `checks`)."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import PERCENTAGE, TIERED
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.document import Finding
from bundlesvc.shop_file.format_fields import MISSING
from bundlesvc.shop_file.place import Place


def check_discount(discount: Place) -> Iterator[Finding]:
    """A flat discount has a value, and no percentage takes off more than all."""
    if not discount.is_mapping or not discount.value:
        return
    value, tiers = discount.at("value"), discount.items("tiers")
    if value.value is None and not _is_tiered(discount, tiers):
        yield value.finding(MISSING)
    yield from check_percentage(discount, value)
    for tier in tiers:
        yield from check_percentage(discount, tier.at("discount"))


def check_percentage(discount: Place, value: Place) -> Iterator[Finding]:
    """Whether a percentage is at most 100; that it is an amount at all, the schema says."""
    if discount.at("type").value == PERCENTAGE and value.read(scalars.amount) is not None:
        yield from value.unfit(scalars.percentage)


def _is_tiered(discount: Place, tiers: list[Place]) -> bool:
    kind = discount.at("flatOrTiered").value
    return kind == TIERED or (kind is None and bool(tiers))
