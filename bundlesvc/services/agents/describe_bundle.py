"""Describes a bundle to a shopping assistant: its products in one language, and its rules as sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.agents.condition_sentences import ConditionSentence, condition_sentences
from bundlesvc.domain.agents.names import Names
from bundlesvc.domain.agents.rule_sentences import SUBSCRIPTION_ONLY, limit_sentences, required_sentence
from bundlesvc.domain.listing.discount_summary import FALLBACK, discount_summary
from bundlesvc.domain.run_conditions import graph_of
from bundlesvc.domain.subscription import requires_subscription
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.embed_bundles import BundleRequest, EmbedBundles, EmbedView


@dataclass(frozen=True, slots=True)
class RuleSentences:
    """The rules of a bundle in English. Limit rules and required products are in the order of the bundle's own lists; condition
    actions are ordered by id. `discount` is None for a bundle without a discount, `subscription` when no subscription is
    required."""

    limits: Sequence[str]
    required: Sequence[str]
    conditions: Sequence[ConditionSentence]
    discount: str | None
    subscription: str | None


@dataclass(frozen=True, slots=True)
class DescribedBundle:
    """A bundle with its products in one `language`, and its rules as sentences."""

    view: EmbedView
    language: str
    sentences: RuleSentences


class DescribeBundle:
    """Describes a bundle to shopping assistants, using the data that the web component renders."""

    def __init__(self, bundles: EmbedBundles) -> None:
        self._bundles = bundles

    async def describe(
        self, caller: Caller, bundle_id: int, language: str | None, country: str | None, deadline: RequestDeadline
    ) -> DescribedBundle:
        """Describe a bundle with its prices in a country, or in the shop's home market when `country` is None. Raises NotFound,
        and the errors of the `Platform` port."""
        languages = () if language is None else (language,)
        request = BundleRequest(bundle_id, None, languages, None, None, ab_bypass=True)
        found = await self._bundles.find(caller, request, deadline)
        view = (await self._bundles.view(caller, found, country, deadline)).value
        return DescribedBundle(view, found.language, _sentences(view))


def _sentences(view: EmbedView) -> RuleSentences:
    bundle, shop, settings = view.bundle.bundle, view.bundle.shop, view.bundle.settings
    names = Names.of(bundle, view.products.products, settings.currency, settings.weight_unit)
    return RuleSentences(
        limit_sentences(bundle.limit_rules, names),
        [required_sentence(required, names) for required in bundle.required_products],
        condition_sentences(graph_of(shop, bundle), names),
        discount_summary(bundle.discount, FALLBACK, settings),
        SUBSCRIPTION_ONLY if requires_subscription(shop, bundle) else None,
    )
