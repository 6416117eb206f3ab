"""What is in a configured bundle, in plain words (embed format, "Line properties and content")."""

from collections.abc import Sequence

from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.product import DEFAULT_TITLE


def content_text(items: Sequence[ConfiguredItem]) -> str:
    """One line per distinct variant in the order of selection: "2 x Shirt - S"; an unnamed variant has no " - …" part."""
    counts: dict[int, int] = {}
    names: dict[int, str] = {}
    for item in items:
        counts[item.variant_id] = counts.get(item.variant_id, 0) + item.count
        unnamed = item.variant_title == DEFAULT_TITLE
        names.setdefault(item.variant_id, item.title if unnamed else f"{item.title} - {item.variant_title}")
    return "\n".join(f"{count} x {names[variant]}" for variant, count in counts.items())
