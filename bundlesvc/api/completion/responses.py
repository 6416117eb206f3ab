"""The response to a completion request."""

from marshmallow import fields

from bundlesvc.api.responses.configured import PriceResultSchema, SelectedUnitSchema
from bundlesvc.api.responses.fields import ResponseSchema, amount, flag, many, number, text


class ChangedUnitsSchema(SelectedUnitSchema):
    """Identical units that were added or removed."""

    quantity = number("The number of units.", 2)


class ReasonSchema(ResponseSchema):
    """A reason why a selection cannot be completed: a rule of the bundle, or a fact such as stock, a market or the shopper's
    wish."""

    code = text(
        "A stable code: the code of an error detail, or `avoided`, `over_budget` or `conditions`.", "limit_not_met"
    )
    message = text("A human-readable message, in English.", "Choose at least 6 items for the bundle; now there are 4.")
    rule = text(
        "The path of the rule in the bundle. Empty for a fact, such as stock, a market or a wish.", "limitRules.0"
    )


class SolutionSchema(ResponseSchema):
    """A selection that `configure` accepts."""

    products = many(
        SelectedUnitSchema, "The whole selection, one entry per unit, in the form that `configure` accepts."
    )
    pricing = fields.Nested(
        PriceResultSchema,
        required=True,
        metadata={"description": "The price of the selection, as in a configure response."},
    )
    added = many(ChangedUnitsSchema, "The units that were added to the selection, in the shop's order.")
    removed = many(ChangedUnitsSchema, "The units that were removed from the selection.")
    reasons = many(
        ReasonSchema, "The rules that the original selection did not meet. Empty if it can be configured as it is."
    )


class BoundSchema(ResponseSchema):
    """The bounds on any solution that has not been found yet."""

    changes = number("The lower bound on the number of changes; 0 with the aim `cheapest`.", 2)
    price = amount("The lower bound on the price, in the shop's currency.", "24.90")


class CompletionSchema(ResponseSchema):
    """The result of a completion: the solutions, and whether better ones can exist."""

    solutions = many(SolutionSchema, "Up to three solutions, the best first.")
    proven = flag("Whether it is proven that no other solution is better.")
    bound = fields.Nested(
        BoundSchema,
        required=True,
        allow_none=True,
        metadata={"description": "What no other solution can beat. Null if `proven` is true."},
    )
    impossible = fields.List(
        fields.Nested(ReasonSchema),
        required=True,
        allow_none=True,
        metadata={
            "description": "The rules and facts that cannot be met together, when there is provably no solution; otherwise null."
        },
    )
