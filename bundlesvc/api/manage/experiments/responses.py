"""The response schemas for results of A/B tests."""

from marshmallow import fields
from marshmallow.validate import OneOf, Regexp

from bundlesvc.api.responses.fields import ResponseSchema, described, many, number, text
from bundlesvc.domain.experiments.results import MISMATCH, VERDICTS

_AMOUNT = Regexp(r"^-?[0-9]+(\.[0-9]+)?$")


def _estimate(description: str, example: float, *, allow_none: bool = True) -> fields.Float:
    return fields.Float(required=True, allow_none=allow_none, metadata=described(description, example))


class ArmRevenueSchema(ResponseSchema):
    """The revenue from orders in one currency."""

    currency = text("The currency of the orders, ISO 4217.", "EUR")
    total = text("The amount charged for the orders, after edits and before refunds.", "41250.00", validate=_AMOUNT)


class ArmResultSchema(ResponseSchema):
    """The figures of one arm of an A/B test."""

    arm = number("The number of the arm, from 0.", 1)
    bundleId = number("The id of the arm's bundle.", 102)
    expectedShare = _estimate("The share of visitors that corresponds to the arm's weight.", 0.5, allow_none=False)
    visitors = number("The number of visitors who saw the arm, each counted once.", 40210)
    orders = number("The number of orders that these visitors placed afterwards.", 2205)
    revenue = many(ArmRevenueSchema, "The totals of these orders, by currency.")
    revenuePerVisitor = _estimate(
        "The revenue per visitor in the shop's currency; null without visitors, and while the result is withheld.", 2.81
    )


class ComparisonSchema(ResponseSchema):
    """An arm compared with arm 0, by revenue per visitor in shop currency."""

    arm = number("The number of the arm, from 0.", 1)
    against = number("The number of the arm that it is compared with, always 0.", 0)
    verdict = text("The conclusion drawn from the interval.", VERDICTS[0], validate=OneOf(VERDICTS))
    difference = _estimate("The arm's revenue per visitor minus the revenue per visitor of arm 0.", 0.26)
    lower = _estimate(
        "The lower end of the confidence interval, which stays valid however often the result is read.", 0.02
    )
    upper = _estimate("The upper end of the confidence interval.", 0.5)
    relative = _estimate("The difference divided by the revenue per visitor of arm 0.", 0.1)


class ExperimentResultSchema(ResponseSchema):
    """The result of an A/B test."""

    id = text("The id of the A/B test in the shop file.", "summer")
    confidence = _estimate("The confidence level of all comparisons together.", 0.95, allow_none=False)
    arms = many(ArmResultSchema, "The figures of every arm.")
    comparisons = many(
        ComparisonSchema, "The comparison of every other arm with arm 0; empty while the result is withheld."
    )
    mismatchProbability = _estimate(
        "The probability that chance alone causes a distribution of visitors that deviates this much from the weights; "
        "null with too few visitors.",
        0.42,
    )
    withheld = fields.String(
        required=True,
        allow_none=True,
        validate=OneOf((MISMATCH, None)),
        metadata=described("The reason why the result is withheld, otherwise null.", None),
    )
    message = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The reason why the result is withheld, as a human-readable message; otherwise null.", None),
    )
