"""The subscription option that a shopper chooses (docs/contract.md#subscriptions)."""

from datetime import date
from decimal import Decimal

import pytest

from bundlesvc.domain.bundle import Bundle, RecurringGroup, SubscriptionOption, SubscriptionProgram
from bundlesvc.domain.errors import SubscriptionInvalid
from bundlesvc.domain.shop import PlatformLink, Shop
from bundlesvc.domain.subscription import (
    SubscriptionChoice,
    choose_subscription,
    is_email,
    next_date,
    offers_subscription,
    requires_subscription,
    subscription_missing,
)
from tests.domain.builders import bundle

MONTHLY = SubscriptionOption(1, "month")
FORTNIGHTLY = SubscriptionOption(2, "week", Decimal("5.00"))
YEARLY = SubscriptionOption(1, "year", Decimal("10.00"))
GROUPS = (RecurringGroup(7, "Often", (MONTHLY, FORTNIGHTLY)), RecurringGroup(8, "Seldom", (YEARLY,)))


def shop(*features: str) -> Shop:
    return Shop("demo", "Demo", "demo.example", "en", True, features, PlatformLink(), (), None)


def subscribable(mode: str = "optional", groups: tuple[RecurringGroup, ...] = GROUPS) -> Bundle:
    return bundle(subscription=SubscriptionProgram(mode, groups))


SHOP = shop("subscriptions")


@pytest.mark.parametrize(
    ("group_id", "frequency", "unit", "group", "option"),
    [
        pytest.param(7, 1, "month", GROUPS[0], MONTHLY, id="without a discount"),
        pytest.param(7, 2, "week", GROUPS[0], FORTNIGHTLY, id="with a discount"),
        pytest.param(8, 1, "year", GROUPS[1], YEARLY, id="of another group"),
    ],
)
@pytest.mark.parametrize("email", ["ada@shop.example", None], ids=["configure", "price"])
@pytest.mark.parametrize("mode", ["optional", "required"])
def test_option_is_chosen_by_group_frequency_and_unit(
    mode: str,
    email: str | None,
    group_id: int,
    frequency: int,
    unit: str,
    group: RecurringGroup,
    option: SubscriptionOption,
) -> None:
    chosen = choose_subscription(SHOP, subscribable(mode), SubscriptionChoice(group_id, frequency, unit, email))

    assert (chosen.group, chosen.option, chosen.email) == (group, option, email)


@pytest.mark.parametrize(
    ("choice", "paths"),
    [
        pytest.param(SubscriptionChoice(9, 1, "month"), ["subscription.id"], id="no such group"),
        pytest.param(SubscriptionChoice(7, 3, "month"), ["subscription.frequency"], id="no such frequency"),
        pytest.param(SubscriptionChoice(7, 1, "week"), ["subscription.frequency"], id="no such unit"),
        pytest.param(
            SubscriptionChoice(7, 2, "month"), ["subscription.frequency"], id="frequency and unit of two options"
        ),
        pytest.param(SubscriptionChoice(8, 1, "month"), ["subscription.frequency"], id="an option of another group"),
        pytest.param(SubscriptionChoice(7, 0, "month"), ["subscription.frequency"], id="never"),
        pytest.param(SubscriptionChoice(7, 1, "MONTH"), ["subscription.frequency"], id="upper case"),
        pytest.param(SubscriptionChoice(7, 1, "month", "ada"), ["subscription.email"], id="bad address"),
        pytest.param(SubscriptionChoice(7, 1, "month", ""), ["subscription.email"], id="empty address"),
        pytest.param(
            SubscriptionChoice(9, 1, "month", "ada"), ["subscription.email", "subscription.id"], id="group and address"
        ),
        pytest.param(
            SubscriptionChoice(7, 9, "month", "ada"),
            ["subscription.email", "subscription.frequency"],
            id="option and address",
        ),
    ],
)
def test_options_not_offered_are_refused(choice: SubscriptionChoice, paths: list[str]) -> None:
    with pytest.raises(SubscriptionInvalid) as refusal:
        choose_subscription(SHOP, subscribable(), choice)

    assert refusal.value.code == "subscription_invalid"
    assert [fault.path for fault in refusal.value.faults] == paths


@pytest.mark.parametrize(
    ("where", "of", "offered", "required"),
    [
        pytest.param(SHOP, subscribable("optional"), True, False, id="optional"),
        pytest.param(SHOP, subscribable("required"), True, True, id="required"),
        pytest.param(SHOP, subscribable("disabled"), False, False, id="disabled"),
        pytest.param(shop("conditions"), subscribable("optional"), False, False, id="optional, feature off"),
        pytest.param(shop(), subscribable("required"), False, False, id="required, feature off"),
        pytest.param(SHOP, bundle(), False, False, id="no program"),
    ],
)
def test_subscription_modes(where: Shop, of: Bundle, offered: bool, required: bool) -> None:
    assert offers_subscription(where, of) is offered
    assert requires_subscription(where, of) is required
    if not offered:
        with pytest.raises(SubscriptionInvalid) as refusal:
            choose_subscription(where, of, SubscriptionChoice(7, 1, "month"))
        assert [fault.path for fault in refusal.value.faults] == ["subscription"]


def test_program_without_groups_offers_no_subscription() -> None:
    assert not offers_subscription(SHOP, subscribable("optional", ()))
    assert not requires_subscription(SHOP, subscribable("required", ()))


def test_required_subscription_refuses_a_one_time_purchase() -> None:
    refusal = subscription_missing()

    assert refusal.code == "subscription_invalid"
    assert [fault.path for fault in refusal.faults] == ["subscription"]


@pytest.mark.parametrize(
    "text",
    [
        "a@b.co",
        "first.last+tag@sub.shop.example",
        "o'brien@shop.example",
        "ADA@SHOP.EXAMPLE",
        "jörg@bücher.example",
        "1@1.example",
        "x" * 64 + "@shop.example",
        "a@" + "b" * 244 + ".example",  # 254 characters in total
    ],
)
def test_email_addresses_are_accepted(text: str) -> None:
    assert is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ada",
        "@shop.example",
        "ada@",
        "ada@shop",
        "ada@.example",
        "ada@shop.",
        "ada@shop..example",
        "ada@love@shop.example",
        "ada love@shop.example",
        "ada@shop.example ",
        " ada@shop.example",
        "ada@shop.example\n",
        "ada\r\nBcc: eve@shop.example",
        "ada\x00@shop.example",
        "ada@shop\x7f.example",
        "x" * 65 + "@shop.example",
        "a@" + "b" * 245 + ".example",  # 255 characters in total
    ],
)
def test_other_text_is_not_an_email_address(text: str) -> None:
    assert not is_email(text)


@pytest.mark.parametrize(
    ("start", "frequency", "unit", "expected"),
    [
        pytest.param("2026-11-21", 1, "day", "2026-11-22", id="a day"),
        pytest.param("2026-12-31", 1, "day", "2027-01-01", id="over the year"),
        pytest.param("2026-11-21", 2, "week", "2026-12-05", id="two weeks"),
        pytest.param("2026-11-21", 1, "month", "2026-12-21", id="a month"),
        pytest.param("2026-11-21", 2, "month", "2027-01-21", id="two months, over the year"),
        pytest.param("2027-01-31", 1, "month", "2027-02-28", id="into a shorter month"),
        pytest.param("2028-01-31", 1, "month", "2028-02-29", id="into a leap month"),
        pytest.param("2026-12-15", 12, "month", "2027-12-15", id="twelve months"),
        pytest.param("2028-02-29", 1, "year", "2029-02-28", id="a year from a leap day"),
        pytest.param("2026-11-21", 9000, "year", None, id="beyond the calendar"),
        pytest.param("2026-11-21", 10**15, "day", None, id="far beyond"),
    ],
)
def test_next_delivery_date(start: str, frequency: int, unit: str, expected: str | None) -> None:
    following = next_date(date.fromisoformat(start), frequency, unit)

    assert following == (None if expected is None else date.fromisoformat(expected))
