"""Determines the conditions that apply to a bundle in its shop."""

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.conditions.graph import NO_CONDITIONS, Graph
from bundlesvc.domain.shop import CONDITIONS, Shop


def graph_of(shop: Shop, bundle: Bundle) -> Graph:
    """Return the graph of the bundle's conditions, which is empty when conditions are disabled in the shop."""
    return bundle.graph if shop.has(CONDITIONS) else NO_CONDITIONS
