"""The shop label of metrics is off by default, and the number of its values is bounded."""

from bundlesvc.metrics.shops import MAX_SHOPS, OTHER, ShopLabels


def test_shops_have_no_label_by_default() -> None:
    assert ShopLabels(enabled=False).of("demo") == ""


def test_only_the_first_shops_are_named() -> None:
    shops = ShopLabels(enabled=True)
    named = [shops.of(f"shop-{number}") for number in range(MAX_SHOPS + 5)]
    assert named == [f"shop-{number}" for number in range(MAX_SHOPS)] + [OTHER] * 5
    assert shops.of("shop-0") == "shop-0"
