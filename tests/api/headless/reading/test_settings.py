"""The shop's settings (docs/contract.md#resources)."""

from tests.api.conftest import Api


async def test_settings(api: Api, other_api: Api) -> None:
    assert (await api.get("/settings")).held().json == {
        "activeFeatures": ["conditions", "subscriptions", "personalisation", "translations"],
        "currency": "EUR",
        "moneyFormat": "€{{amount}}",
        "weightUnit": "kg",
    }
    assert (await other_api.get("/settings")).held().json == {
        "activeFeatures": [],
        "currency": "JPY",
        "moneyFormat": "¥{{amount}}",
        "weightUnit": "g",
    }
