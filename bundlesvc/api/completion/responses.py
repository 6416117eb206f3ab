"""The response of a completion."""

from marshmallow import fields

from bundlesvc.api.responses.configured import PriceResultSchema, SelectedUnitSchema
from bundlesvc.api.responses.fields import ResponseSchema, amount, flag, many, number, text


class ChangedUnitsSchema(SelectedUnitSchema):
    """Equal units that were added or removed."""

    quantity = number("How many.", 2)


class ReasonSchema(ResponseSchema):
    """A reason in a completion: a rule of the bundle, or a fact such as stock, a market or a wish of the shopper."""

    code = text("A stable code: that of a detail, or `avoided`, `over_budget`, `conditions`.", "limit_not_met")
    message = text("A sentence for a person, in English.", "Choose at least 6 items for the bundle; now there are 4.")
    rule = text("The path of the rule in the bundle. Empty for a fact: stock, a market, a wish.", "limitRules.0")


class SolutionSchema(ResponseSchema):
    """A selection that `configure` accepts."""

    products = many(SelectedUnitSchema, "The whole selection, one entry per unit, as configure takes it.")
    pricing = fields.Nested(
        PriceResultSchema,
        required=True,
        metadata={"description": "The price of the selection, as in a configure response."},
    )
    added = many(ChangedUnitsSchema, "The units that the selection did not have, in the shop's order.")
    removed = many(ChangedUnitsSchema, "The units that it no longer has.")
    reasons = many(ReasonSchema, "The rules that the selection did not meet. Empty: it can be configured as it is.")


class BoundSchema(ResponseSchema):
    """The bounds on any solution that has not been found yet."""

    changes = number("No solution needs fewer changes. 0 with the aim `cheapest`.", 2)
    price = amount("No solution costs less, in the shop's currency.", "24.90")


class CompletionSchema(ResponseSchema):
    """The solutions of a completion."""

    solutions = many(SolutionSchema, "Up to three, the best first.")
    proven = flag("Whether no other solution is better.")
    bound = fields.Nested(BoundSchema, required=True, allow_none=True, metadata={"description": "Null when `proven`."})
    impossible = fields.List(
        fields.Nested(ReasonSchema),
        required=True,
        allow_none=True,
        metadata={
            "description": "The rules and facts that cannot be met together, when there is provably no solution; else null."
        },
    )
