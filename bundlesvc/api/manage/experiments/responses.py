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
    total = text("What they charged, after edits and before refunds.", "41250.00", validate=_AMOUNT)


class ArmResultSchema(ResponseSchema):
    """The figures of one arm of an A/B test."""

    arm = number("Its number, from 0.", 1)
    bundleId = number("Its bundle.", 102)
    expectedShare = _estimate("The share of visitors that its weight gives it.", 0.5, allow_none=False)
    visitors = number("Visitors who saw it, each once.", 40210)
    orders = number("Their orders after that.", 2205)
    revenue = many(ArmRevenueSchema, "The sums of these orders, by currency.")
    revenuePerVisitor = _estimate("In shop currency; null without visitors, and while the result is withheld.", 2.81)


class ComparisonSchema(ResponseSchema):
    """An arm compared with arm 0, by revenue per visitor in shop currency."""

    arm = number("The arm.", 1)
    against = number("The arm that it is compared with.", 0)
    verdict = text("What the interval says.", VERDICTS[0], validate=OneOf(VERDICTS))
    difference = _estimate("Revenue per visitor, less that of arm 0.", 0.26)
    lower = _estimate("The lower end of the interval, which is valid at all looks together.", 0.02)
    upper = _estimate("The upper end.", 0.5)
    relative = _estimate("The difference, by the revenue per visitor of arm 0.", 0.1)


class ExperimentResultSchema(ResponseSchema):
    """The result of an A/B test."""

    id = text("Its id in the shop file.", "summer")
    confidence = _estimate("Of all comparisons together.", 0.95, allow_none=False)
    arms = many(ArmResultSchema, "Every arm.")
    comparisons = many(ComparisonSchema, "Every arm but the first; none while the result is withheld.")
    mismatchProbability = _estimate(
        "How likely chance alone is to distribute visitors like this; null with too few.", 0.42
    )
    withheld = fields.String(
        required=True,
        allow_none=True,
        validate=OneOf((MISMATCH, None)),
        metadata=described("Why there is no result, else null.", None),
    )
    message = fields.String(required=True, allow_none=True, metadata=described("The same in a sentence.", None))
