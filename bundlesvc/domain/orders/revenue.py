"""The revenue of each component of a bundle, allocated in proportion to its stand-alone price (ASC 606-10-32-36)."""

from bundlesvc.domain.money import allocate
from bundlesvc.domain.orders.judged import JudgedOrder


def line_revenue(judged: JudgedOrder) -> dict[str, int]:
    """Return the revenue of each line, in minor units: its share of the charge for its bundle. For a line without a bundle, or in
    a bundle whose lines all have price 0, the revenue is the line's own charge. The revenues of a bundle's lines add up to the
    charge for the bundle, after edits and before refunds."""
    order = judged.order
    revenue = {line.id: line.charged + order.edited([line.id]) for line in order.lines}
    listed = {line.id: line.listed for line in order.lines}
    for verdict in judged.verdicts:
        weights = [listed[line_id] for line_id in verdict.line_ids]
        if any(weights):
            revenue |= zip(verdict.line_ids, allocate(verdict.charged, weights), strict=True)
    return revenue
