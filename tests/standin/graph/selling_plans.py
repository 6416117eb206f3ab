"""Selling plans: recurring orders, with or without a percentage off."""

from tests.standin.data.gids import gid
from tests.standin.data.shop import SellingPlan, SellingPlanGroup
from tests.standin.graph.items import Items, Node


def selling_plan_group_node(group: SellingPlanGroup) -> Node:
    return {
        "__typename": "SellingPlanGroup",
        "id": gid("SellingPlanGroup", group.id),
        "name": group.name,
        "appId": None,
        "merchantCode": group.name.lower().replace(" ", "-"),
        "options": ["Delivery every"],
        "position": None,
        "sellingPlans": lambda _: Items(list(enumerate(group.plans, start=1)), lambda placed: _plan_node(*placed)),
    }


def _plan_node(position: int, plan: SellingPlan) -> Node:
    recurring = {"interval": plan.interval, "intervalCount": plan.interval_count}
    return {
        "__typename": "SellingPlan",
        "id": gid("SellingPlan", plan.id),
        "name": plan.name,
        "description": None,
        "category": "SUBSCRIPTION",
        "options": [f"{plan.interval_count} {plan.interval.lower()}"],
        "position": position,
        "billingPolicy": {
            "__typename": "SellingPlanRecurringBillingPolicy",
            "minCycles": None,
            "maxCycles": None,
            **recurring,
        },
        "deliveryPolicy": {"__typename": "SellingPlanRecurringDeliveryPolicy", **recurring},
        "pricingPolicies": _pricing_policies(plan),
    }


def _pricing_policies(plan: SellingPlan) -> list[Node]:
    if plan.percentage is None:
        return []
    percentage = {"__typename": "SellingPlanPricingPolicyPercentageValue", "percentage": float(plan.percentage)}
    return [
        {
            "__typename": "SellingPlanFixedPricingPolicy",
            "adjustmentType": "PERCENTAGE",
            "adjustmentValue": percentage,
        }
    ]
