"""The identity of ghost variants. Configured bundles with the same identity share a ghost variant
(docs/contract.md#ghost-variants)."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.money import amount_text


def ghost_identity(bundle_id: int, items: Sequence[ConfiguredItem], base_price: Decimal) -> str:
    """Return the identity of a configured bundle's ghost variant: SHA-256 of the bundle, the sorted items and the base price, in
    hex. Bundles with the same identity share a ghost variant."""
    counts: Counter[tuple[int, int]] = Counter()
    for item in items:
        counts[item.variant_id, item.section_id] += item.count
    text = ",".join(f"{variant}:{section}:{count}" for (variant, section), count in sorted(counts.items()))
    return hashlib.sha256(f"{bundle_id}|{text}|{amount_text(base_price)}".encode()).hexdigest()


def market_identity(identity: str, price_list: str, promise: Decimal) -> str:
    """Return the identity of a second ghost variant, for use when the first ghost variant has a different promised price on the
    same price list."""
    return hashlib.sha256(f"{identity}|{price_list}|{amount_text(promise)}".encode()).hexdigest()
