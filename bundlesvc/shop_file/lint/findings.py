"""What the linter says: findings, their codes and their severity."""

from dataclasses import dataclass
from enum import StrEnum

from bundlesvc.shop_file.document import TreePath

ERROR, WARNING = "error", "warning"
"""Error: a shopper cannot buy the bundle, or the money is wrong. Warning: everything else."""


class Code(StrEnum):
    """Every finding that there is; docs/lint.md explains each."""

    INVALID = "invalid"

    RULE_NEVER_HOLDS = "rule-never-holds"
    RULES_CONTRADICT = "rules-contradict"
    NO_WHOLE_NUMBER = "no-whole-number"
    MULTIPLES_OUT_OF_BOUNDS = "multiples-out-of-bounds"
    EQ_OUT_OF_BOUNDS = "eq-out-of-bounds"
    RULE_WITHOUT_EFFECT = "rule-without-effect"

    SECTION_OFFERS_NOTHING = "section-offers-nothing"
    TOO_FEW_PRODUCTS = "too-few-products"
    AMOUNTS_CONTRADICT = "amounts-contradict"
    TOTALS_CONTRADICT = "totals-contradict"
    REQUIRED_OUT_OF_BOUNDS = "required-out-of-bounds"
    WEIGHT_UNREACHABLE = "weight-unreachable"
    PRICE_UNREACHABLE = "price-unreachable"

    NOTHING_OFFERED = "nothing-offered"
    BUNDLE_WITHOUT_PRODUCT = "bundle-without-product"
    SUBSCRIPTION_WITHOUT_OPTIONS = "subscription-without-options"
    FIELD_WITHOUT_OPTIONS = "field-without-options"
    FEATURE_OFF = "feature-off"

    SECTION_OUT_OF_STOCK = "section-out-of-stock"
    BUNDLE_OUT_OF_STOCK = "bundle-out-of-stock"
    REQUIRED_NOT_ACTIVE = "required-not-active"
    REQUIRED_OUT_OF_STOCK = "required-out-of-stock"
    SECTION_SELLS_NOTHING = "section-sells-nothing"
    BUNDLE_PRODUCT_NOT_ACTIVE = "bundle-product-not-active"
    FREE_ITEM_UNAVAILABLE = "free-item-unavailable"
    MARKET_OUT_OF_REACH = "market-out-of-reach"

    DISCOUNT_TAKES_ALL = "discount-takes-all"
    DISCOUNT_TAKES_NOTHING = "discount-takes-nothing"
    PRICE_ABOVE_CHEAPEST = "price-above-cheapest"
    MINIMUM_NEVER_REACHED = "minimum-never-reached"
    TIER_NEVER_REACHED = "tier-never-reached"
    TIER_NEVER_WINS = "tier-never-wins"
    TIERS_NOT_READ = "tiers-not-read"

    CONDITION_NEVER_HOLDS = "condition-never-holds"
    CONDITION_ALWAYS_HOLDS = "condition-always-holds"
    NODE_UNREACHABLE = "node-unreachable"
    NODE_NOT_RUN = "node-not-run"
    DISCOUNT_NEVER_WINS = "discount-never-wins"
    ALWAYS_BLOCKED = "always-blocked"
    ALWAYS_HIDDEN = "always-hidden"
    GOTO_HIDDEN_SECTION = "goto-hidden-section"
    HIDES_NOTHING = "hides-nothing"

    TRANSLATION_MISSING = "translation-missing"
    TRANSLATION_INCOMPLETE = "translation-incomplete"


@dataclass(frozen=True, slots=True)
class Remark:
    """What a checker has to say of the part of the file at `path`."""

    severity: str
    code: Code
    path: TreePath
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark where a person finds it; `path` is dotted, `line` None where no line can be told."""

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


def remark(severity: str, code: Code, path: TreePath, message: str) -> Remark:
    """A remark whose severity depends on what else the bundle says."""
    return Remark(severity, code, path, message)
