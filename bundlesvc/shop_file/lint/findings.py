"""The codes of the linter's findings, each with a hint on how to fix it, and the severities."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bundlesvc.shop_file.tree import TreePath

ERROR, WARNING, NOTE = SEVERITIES = ("error", "warning", "note")
"""Error: a shopper cannot buy the bundle, or a price is wrong. Note: an intended consequence of the file. Warning: everything
else."""


class Code(StrEnum):
    """The codes of findings, each with a hint on how to fix it. docs/lint.md explains each code."""

    hint: str

    def __new__(cls, code: str, hint: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.hint = hint
        return member

    INVALID = "invalid", "nothing in this file is loaded until this is fixed"
    FEATURE_OFF = "feature-off", "add it to activeFeatures, or remove what needs it"

    RULE_NEVER_HOLDS = "rule-never-holds", "change the value or drop the rule"
    RULES_CONTRADICT = "rules-contradict", "widen one of the rules or drop it"
    NO_WHOLE_NUMBER = "no-whole-number", "leave room for a whole number"
    MULTIPLES_OUT_OF_BOUNDS = "multiples-out-of-bounds", "widen the other rules or choose a smaller multiple"
    EQ_OUT_OF_BOUNDS = "eq-out-of-bounds", "drop this alternative, or widen the rules that exclude it"
    RULE_WITHOUT_EFFECT = "rule-without-effect", "drop the rule"

    SECTION_OFFERS_NOTHING = "section-offers-nothing", "add products to the section or drop the rule"
    TOO_FEW_PRODUCTS = "too-few-products", "offer more products or ask for fewer different ones"
    AMOUNTS_CONTRADICT = "amounts-contradict", "allow more units of each, or other numbers of items"
    TOTALS_CONTRADICT = "totals-contradict", "make the rules of the sections fit the rules of the whole bundle"
    REQUIRED_OUT_OF_BOUNDS = "required-out-of-bounds", "require fewer units or allow more"
    WEIGHT_UNREACHABLE = "weight-unreachable", "check the unit of the rule and the grams of the variants"
    PRICE_UNREACHABLE = "price-unreachable", "check the rule, the prices of the variants and the discount"

    NOTHING_OFFERED = "nothing-offered", "add products to a section, or unpublish the bundle"
    BUNDLE_WITHOUT_PRODUCT = (
        "bundle-without-product",
        "set platformProductId (for a native bundle also parentVariantId), or unpublish it",
    )
    SUBSCRIPTION_WITHOUT_OPTIONS = (
        "subscription-without-options",
        "add options to a group, or set the mode to disabled",
    )
    FIELD_WITHOUT_OPTIONS = "field-without-options", "add options, or do not require an answer"

    SECTION_OUT_OF_STOCK = "section-out-of-stock", "restock, offer something else, or lower what the rules require"
    BUNDLE_OUT_OF_STOCK = "bundle-out-of-stock", "restock, offer something else, or lower what the rules require"
    REQUIRED_NOT_ACTIVE = "required-not-active", "require another product, or make it ACTIVE"
    REQUIRED_OUT_OF_STOCK = "required-out-of-stock", "restock it, allow more of its variants, or require less"
    SECTION_SELLS_NOTHING = "section-sells-nothing", "restock, offer something else, or drop the section"
    BUNDLE_PRODUCT_NOT_ACTIVE = "bundle-product-not-active", "make it ACTIVE, or unpublish the bundle"
    FREE_ITEM_UNAVAILABLE = "free-item-unavailable", "give something else away, or restock the item"
    MARKET_OUT_OF_REACH = (
        "market-out-of-reach",
        "make what the bundle needs available there, or block the country with a condition",
    )

    DISCOUNT_TAKES_ALL = "discount-takes-all", "set a minimum above the discount, or take off less"
    DISCOUNT_TAKES_NOTHING = "discount-takes-nothing", "change its value or drop it"
    PRICE_ABOVE_CHEAPEST = "price-above-cheapest", "set a minimum, or a rule that excludes cheaper selections"
    MINIMUM_NEVER_REACHED = "minimum-never-reached", "lower the minimum, or let shoppers choose more"
    TIER_NEVER_REACHED = "tier-never-reached", "lower its threshold, or let shoppers choose more"
    TIER_NEVER_WINS = "tier-never-wins", "raise its discount, or drop it"
    TIERS_NOT_READ = "tiers-not-read", "set flatOrTiered to tiered, or drop the tiers"
    BOUND_TO_A_MARKET = (
        "bound-to-a-market",
        "let the client configure again when the country changes, or use a percentage that depends on counts alone",
    )

    CONDITION_NEVER_HOLDS = "condition-never-holds", "change it, or drop what depends on it"
    CONDITION_ALWAYS_HOLDS = "condition-always-holds", "change it, or remove it from the actions that use it"
    NODE_UNREACHABLE = "node-unreachable", "use it in the `when` of an action, or drop it"
    NODE_NOT_RUN = "node-not-run", "check its kind and type for typing errors, or remove what needs it"
    DISCOUNT_NEVER_WINS = "discount-never-wins", "put it before the other one, or drop it"
    ALWAYS_BLOCKED = "always-blocked", "give it a condition, or unpublish the bundle"
    ALWAYS_HIDDEN = "always-hidden", "give it a condition, or remove what it hides"
    GOTO_HIDDEN_SECTION = "goto-hidden-section", "go to another section, or do not hide this one"
    HIDES_NOTHING = "hides-nothing", "name a product or section that is offered"

    TRANSLATION_MISSING = "translation-missing", "add a translation"
    TRANSLATION_INCOMPLETE = "translation-incomplete", "add the missing texts"


@dataclass(frozen=True, slots=True)
class Remark:
    """A check's remark about the part of the file at `path`."""

    severity: str
    code: Code
    path: TreePath
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark in printable form; `path` is dotted, and `line` is None when the line is unknown."""

    file: str
    line: int | None
    severity: str
    code: str
    path: str
    message: str
    hint: str


def error(code: Code, path: TreePath, message: str) -> Remark:
    return Remark(ERROR, code, path, message)


def warning(code: Code, path: TreePath, message: str) -> Remark:
    return Remark(WARNING, code, path, message)


def note(code: Code, path: TreePath, message: str) -> Remark:
    return Remark(NOTE, code, path, message)


def error_if(condition: object, code: Code, path: TreePath, message: str) -> Remark:
    """Create a remark: an error if the condition is true, otherwise a warning."""
    return Remark(ERROR if condition else WARNING, code, path, message)
