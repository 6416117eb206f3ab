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

    currency = text("ISO 4217.", "EUR")
    total = text("What was charged, after edits and before refunds.", "41250.00", validate=_AMOUNT)


class ArmResultSchema(ResponseSchema):
    """The figures of one arm of an A/B test."""

    arm = number("The arm's number, from 0.", 1)
    bundleId = number("Its bundle.", 102)
    expectedShare = _estimate("The share of visitors that corresponds to its weight.", 0.5, allow_none=False)
    visitors = number("Visitors who saw the arm, each counted once.", 40210)
    orders = number("Orders that these visitors placed afterwards.", 2205)
    revenue = many(ArmRevenueSchema, "The sums of these orders, by currency.")
    revenuePerVisitor = _estimate("In shop currency; null without visitors, and while the result is withheld.", 2.81)


class ComparisonSchema(ResponseSchema):
    """An arm compared with arm 0, by revenue per visitor in shop currency."""

    arm = number("The arm.", 1)
    against = number("The arm that it is compared with.", 0)
    verdict = text("What the interval says.", VERDICTS[0], validate=OneOf(VERDICTS))
    difference = _estimate("Revenue per visitor minus that of arm 0.", 0.26)
    lower = _estimate("The lower end of the interval, which stays valid however often it is read.", 0.02)
    upper = _estimate("The upper end.", 0.5)
    relative = _estimate("The difference divided by the revenue per visitor of arm 0.", 0.1)


class ExperimentResultSchema(ResponseSchema):
    """The result of an A/B test."""

    id = text("Its id in the shop file.", "summer")
    confidence = _estimate("The confidence level of all comparisons together.", 0.95, allow_none=False)
    arms = many(ArmResultSchema, "Every arm.")
    comparisons = many(ComparisonSchema, "Every arm except the first; empty while the result is withheld.")
    mismatchProbability = _estimate(
        "The probability that chance alone distributes visitors like this; null with too few visitors.", 0.42
    )
    withheld = fields.String(
        required=True,
        allow_none=True,
        validate=OneOf((MISMATCH, None)),
        metadata=described("Why there is no result, else null.", None),
    )
    message = fields.String(required=True, allow_none=True, metadata=described("The same as a sentence.", None))
