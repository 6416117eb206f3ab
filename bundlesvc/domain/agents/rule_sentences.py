"""Sentences that describe limit rules, required products and mandatory subscriptions to assistants."""

from collections.abc import Sequence

from bundlesvc.domain.agents.names import Names
from bundlesvc.domain.bundle import LimitRule, RequiredProduct
from bundlesvc.domain.rules.limit_rules import alternatives_of, demand
from bundlesvc.domain.rules.rule_types import type_of

SUBSCRIPTION_ONLY = "This bundle is sold by subscription only."


def limit_sentences(rules: Sequence[LimitRule], names: Names) -> list[str]:
    """Return one sentence per limit rule, in the order of the rules. Alternative rules, at least one of which must be met, share
    a sentence."""
    sentences: dict[int, str] = {}
    for group in alternatives_of(rules):
        sentences.update(dict.fromkeys(group, _limit_sentence([rules[index] for index in group], names)))
    return [sentences[index] for index in range(len(rules))]


def _limit_sentence(alternatives: Sequence[LimitRule], names: Names) -> str:
    first = alternatives[0]
    if type_of(first).is_multiple and not first.limit:
        return "Any number of items may be chosen."
    section = "" if first.section_id is None else names.section(first.section_id)
    return demand(alternatives, names.weight_unit, names.currency, section)


def required_sentence(required: RequiredProduct, names: Names) -> str:
    """Return the sentence for a required product. It names the accepted variants, unless every variant of the product is
    accepted."""
    accepted = [names.variant(variant) for variant in required.variant_ids] or [names.product(required.product_id)]
    return f"The bundle must contain at least {required.quantity} of {' or '.join(accepted)}."
