"""A discount in one sentence (docs/contract.md#lists)."""

from decimal import Decimal
from string import Formatter

import pytest

from bundlesvc.domain.bundle import Discount, Tier
from bundlesvc.domain.listing.discount_summary import SENTENCES, discount_summary
from bundlesvc.domain.shop import ShopSettings

THREE = Tier("total_products", "gte", "3", Decimal(5))
FIVE = Tier("total_products", "gte", "5", Decimal("12.5"))
OVER_FORTY = Tier("total_price", "gt", "40", Decimal(3))


def flat(type_: str, value: str, minimum: str | None = None) -> Discount:
    return Discount(type_, Decimal(value), "flat", None if minimum is None else Decimal(minimum))


def tiered(type_: str, *tiers: Tier, operator: str = "max", minimum: str | None = None) -> Discount:
    least = None if minimum is None else Decimal(minimum)
    return Discount(type_, Decimal(0), "tiered", least, operator, tiers)


@pytest.mark.parametrize(
    ("discount", "language", "sentence"),
    [
        (None, "en", None),
        (flat("percentage", "10"), "en", "10% off"),
        (flat("percentage", "12.5"), "en", "12.5% off"),
        (flat("percentage", "12.5"), "de", "12,5 % Rabatt"),
        (flat("percentage", "12.5"), "es", "12,5 % de descuento"),
        (flat("percentage", "12.5"), "fr", "12,5 % de remise"),
        (flat("percentage", "12.5"), "it", "12,5% di sconto"),
        (flat("percentage", "12.5"), "nl", "12,5% korting"),
        (flat("percentage", "250"), "en", "100% off"),
        (flat("percentage", "0"), "en", None),
        (flat("fixed", "5"), "en", "€5.00 off"),
        (flat("fixed", "5", "20"), "en", "€5.00 off from €20.00"),
        (flat("price", "30"), "en", "€30.00 for all"),
        (flat("price", "30"), "fr", "Le tout pour €30.00"),
        (flat("price", "0"), "en", "€0.00 for all"),
        (tiered("percentage", THREE), "en", "5% off from 3 items"),
        (tiered("percentage", THREE), "de-CH", "5 % Rabatt ab 3 Stück"),
        (tiered("percentage", THREE, minimum="20"), "en", "Up to 5% off"),
        (tiered("percentage", THREE, FIVE), "en", "Up to 12.5% off"),
        (tiered("percentage", THREE, FIVE, operator="cumulative"), "en", "Up to 17.5% off"),
        (tiered("fixed", OVER_FORTY), "en", "Up to €3.00 off"),
        (tiered("price", THREE, FIVE), "en", "From €5.00 for all"),
        (tiered("price", THREE, FIVE, operator="cumulative"), "en", "From €5.00 for all"),
        (tiered("percentage", Tier("bulk_buy", "gt", "2.5", Decimal(5))), "en", "5% off from 3 of the same"),
        (tiered("percentage", Tier("total_products", "lte", "2", Decimal(5))), "en", "Up to 5% off"),
        (tiered("percentage", Tier("total_products", "gte", "2", Decimal(0))), "en", None),
        (tiered("percentage"), "en", None),
        (flat("percentage", "10"), "ja", "10% off"),
    ],
)
def test_sentence(discount: Discount | None, language: str, sentence: str | None) -> None:
    assert discount_summary(discount, language, ShopSettings("EUR", "€{{amount}}", "kg")) == sentence


@pytest.mark.parametrize("language", SENTENCES)
def test_every_language_has_every_sentence_with_its_places(language: str) -> None:
    def places(texts: dict[str, str]) -> dict[str, set[str | None]]:
        return {key: {place for _, place, _, _ in Formatter().parse(text) if place} for key, text in texts.items()}

    assert places(dict(SENTENCES[language])) == places(dict(SENTENCES["en"]))
