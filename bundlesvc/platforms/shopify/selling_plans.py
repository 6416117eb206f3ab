"""Which selling plan of a product stands for a cadence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bundlesvc.platforms.shopify.gids import PRODUCT, gid, number_of
from bundlesvc.platforms.shopify.inquiry import Inquiry

Cadence = tuple[int, int, str]
"""Product, frequency and unit, such as (111, 2, "week")."""


async def selling_plans(inquiry: Inquiry, product_ids: Sequence[int]) -> Mapping[Cadence, str]:
    """The plan ids by cadence; of several plans of one cadence the first, in the order of their groups. Plans that are paid
    for at other times than they are delivered are left out: no option of ours means them. None where the token may not see
    them: a bundle is sold without."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch]}

    unknown: Mapping[str, Any] = {"nodes": []}
    answers = await inquiry.in_batches("selling_plans", list(dict.fromkeys(product_ids)), variables, unknown)
    with inquiry.reading():
        products = (node for _, answer in answers for node in answer["nodes"] if node)
        plans = list(_cadences(products))
    return dict(reversed(plans))


def _cadences(products: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Cadence, str]]:
    for product in products:
        product_id = number_of(product["id"])
        for group in product["sellingPlanGroups"]["nodes"]:
            for plan in group["sellingPlans"]["nodes"]:
                delivery = plan["deliveryPolicy"]
                if delivery and delivery == plan["billingPolicy"]:
                    cadence = (product_id, delivery["intervalCount"], delivery["interval"].lower())
                    yield cadence, str(number_of(plan["id"]))
