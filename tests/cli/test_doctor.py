"""`bundlesvc doctor`: all that is wrong is told, with how to mend it; what is well is told too (design 17)."""

import time
from pathlib import Path

import pytest

from bundlesvc.platforms.shopify.webhooks import CHANGES
from bundlesvc.token_cipher import new_secret_key
from tests.cli.command_line import Result, Run, assert_sentence
from tests.cli.conftest import Connect
from tests.cli.live_shop import BOX, CLIENT_CREDENTIALS, DOMAIN, MUG, SHIRT, SHOP_FILE
from tests.conftest import SECRET_KEY
from tests.process.shop import SHOP
from tests.redis_server import RedisServer
from tests.standin.faults import Answered, Delayed, Held, graphql_errors, refused, server_error
from tests.standin.generated import product
from tests.standin.server import ACCESS_TOKEN, Standin
from tests.standin.shop import Market, WebhookSubscription
from tests.standin.webhooks import SECRET

ADDRESS = "https://bundles.example/webhooks/platform/live"
DATABASE = "✓ the database answers, and its tables are of the newest version"


@pytest.fixture
def well(connected: Run, standin: Standin) -> Run:
    """The command line; nothing is wrong with the shop "live"."""
    standin.shop.webhook_subscriptions += subscriptions(ADDRESS)
    return connected


def subscriptions(address: str) -> list[WebhookSubscription]:
    """All that are needed, to one address."""
    return [
        WebhookSubscription(number, topic.replace("/", "_").upper(), address) for number, topic in enumerate(CHANGES)
    ]


def troubles(result: Result) -> list[str]:
    """What is wrong, told in lines of their own, counted at the end, and in the exit status."""
    found = [line.removeprefix("✗ ") for line in result.out.splitlines() if line.startswith("✗ ")]
    if found:
        count = "1 thing is" if len(found) == 1 else f"{len(found)} things are"
        assert (result.code, result.err) == (1, f"bundlesvc: {count} wrong.\n")
    else:
        assert (result.code, result.err) == (0, "")
        assert result.out.endswith("\nAll is well.\n")
    return found


def good(result: Result) -> list[str]:
    return [line.removeprefix("✓ ") for line in result.out.splitlines() if line.startswith("✓ ")]


def load(run: Run, folder: Path, shop_file: str) -> None:
    path = folder / "changed.yaml"
    path.write_text(shop_file)
    assert run("load", path).code == 0


class TestOfTheServiceItself:
    @pytest.fixture
    def run(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
        return run

    def test_no_shop(self, run: Run) -> None:
        result = run("doctor")
        assert troubles(result) == ["There is no shop yet. Load one: bundlesvc load FILE"]
        assert result.out.startswith(DATABASE)

    def test_a_shop_with_products_of_its_own(self, run: Run) -> None:
        run("load", SHOP)
        result = run("doctor")
        assert troubles(result) == []
        assert result.out.splitlines() == [DATABASE, "✓ demo: products from its file; bundles: 3", "All is well."]

    def test_a_shop_that_is_not_enabled(self, run: Run) -> None:
        run("load", SHOP)
        run("shops", "disable", "demo")
        assert troubles(run("doctor")) == ["demo: not enabled. Enable it: bundlesvc shops enable demo"]

    def test_without_keys(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("BUNDLESVC_SECRET_KEYS")
        assert_sentence(run("doctor"), "BUNDLESVC_SECRET_KEYS is not set")

    def test_in_demo_mode(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("BUNDLESVC_SECRET_KEYS")
        monkeypatch.setenv("BUNDLESVC_DEMO", "1")
        run("load", SHOP)
        assert troubles(run("doctor")) == []

    def test_a_database_that_cannot_be_used(self, run: Run, database_path: Path) -> None:
        database_path.mkdir(parents=True)
        assert_sentence(run("doctor"), "database")

    def test_redis_answers(self, run: Run, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, patient: None) -> None:
        monkeypatch.setenv("REDIS_URL", redis.url)
        run("load", SHOP)
        result = run("doctor")
        assert troubles(result) == []
        assert good(result)[0] == f"Redis at 127.0.0.1:{redis.port} answers"

    def test_redis_does_not_answer(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", "redis://user:hunter2@127.0.0.1:1/0")
        run("load", SHOP)
        result = run("doctor")
        (trouble,) = troubles(result)
        assert trouble.startswith("Redis at 127.0.0.1:1 cannot be used")
        assert "hunter2" not in result.out + result.err
        assert "demo: products from its file; bundles: 3" in good(result), "the rest is looked at all the same"

    def test_redis_hangs(self, run: Run, redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", redis.url)
        run("load", SHOP)
        redis.pause()
        try:
            (trouble,) = troubles(run("doctor"))
        finally:
            redis.resume()
        assert "cannot be used (no response within 0.5 seconds)" in trouble

    def test_redis_does_not_know_the_password(
        self, run: Run, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, patient: None
    ) -> None:
        monkeypatch.setenv("REDIS_URL", redis.url_of_user.replace("hunter2", "hunter3"))
        run("load", SHOP)
        (trouble,) = troubles(run("doctor"))
        assert trouble.startswith(f"Redis at 127.0.0.1:{redis.port} cannot be used")
        assert "hunter" not in trouble

    @pytest.mark.parametrize("place", ["localhost:99999", "localhost?nope=1", "localhost?db=none", "host/x/y"])
    def test_an_address_of_redis_that_cannot_be_used(
        self, place: str, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run("load", SHOP)
        monkeypatch.setenv("REDIS_URL", f"redis://user:hunter2@{place}")
        result = run("doctor")
        assert result.code == 1
        assert "REDIS_URL" in result.out + result.err
        assert "Traceback" not in result.err
        assert "hunter2" not in result.out + result.err


class TestOfALiveShop:
    def test_all_is_well(self, well: Run) -> None:
        result = well("doctor")
        assert troubles(result) == []
        assert good(result)[1:] == [
            f"live: {DOMAIN} answers; bundles: 1",
            f"live: tells of changes at {ADDRESS}; topics: {len(CHANGES)}",
        ]

    def test_it_changes_nothing_on_the_platform(self, well: Run, standin: Standin) -> None:
        well("doctor")
        assert not [request for request in standin.requests if request.document.lstrip().startswith("mutation")]

    def test_every_shop_is_looked_at(self, well: Run, standin: Standin) -> None:
        well("load", SHOP)
        well("shops", "disable", "demo")
        standin.tokens.clear()
        found = troubles(well("doctor"))
        assert [trouble.split(": ")[0] for trouble in found] == ["live", "demo"]

    def test_not_connected(self, live: Run, standin: Standin) -> None:
        (trouble,) = troubles(live("doctor"))
        assert trouble.startswith("live: not connected")
        assert trouble.endswith("Connect it: bundlesvc platform connect --shop live")
        assert standin.requests == []

    def test_connected_with_other_keys(self, well: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", new_secret_key())
        (trouble,) = troubles(well("doctor"))
        assert "other BUNDLESVC_SECRET_KEYS" in trouble

    def test_connected_at_another_domain(self, well: Run, tmp_path: Path) -> None:
        load(well, tmp_path, SHOP_FILE.replace(DOMAIN, "moved.myshopify.com"))
        (trouble,) = troubles(well("doctor"))
        assert "another domain" in trouble

    def test_a_token_that_is_refused(self, well: Run, standin: Standin) -> None:
        standin.tokens.clear()
        (trouble,) = troubles(well("doctor"))
        assert trouble.startswith(f"live: {DOMAIN}: the access token is refused")
        assert "HTTP 401" in trouble

    def test_a_client_id_and_its_secret_are_tried_also_while_the_token_is_good(
        self, well: Run, connect: Connect, standin: Standin
    ) -> None:
        assert connect("--client-credentials", secrets=CLIENT_CREDENTIALS).code == 0
        assert troubles(well("doctor")) == []
        assert standin.calls[ACCESS_TOKEN] == 2
        standin.app.client_secret = "rotated"
        (trouble,) = troubles(well("doctor"))
        assert trouble.startswith(
            f"live: {DOMAIN}: the client ID or the client secret is refused: connect the shop again (HTTP 400 invalid_client"
        )
        standin.app.client_secret = SECRET
        assert troubles(well("doctor")) == []

    def test_a_platform_that_fails(self, well: Run, standin: Standin) -> None:
        standin.fail_next(server_error(503), times=None)
        (trouble,) = troubles(well("doctor"))
        assert trouble == f"live: {DOMAIN}: The commerce platform cannot be reached at the moment."

    def test_a_platform_that_hangs_is_waited_for_only_so_long(
        self, well: Run, standin: Standin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BUNDLESVC_PLATFORM_TIMEOUT", "0.3")
        standin.fail_next(Held(), times=None)
        before = time.monotonic()
        (trouble,) = troubles(well("doctor"))
        assert trouble == f"live: {DOMAIN}: The commerce platform took too long to respond."
        assert time.monotonic() - before < 5

    def test_a_platform_that_is_slow_is_well(self, well: Run, standin: Standin) -> None:
        standin.fail_next(Delayed(0.05), times=None)
        assert troubles(well("doctor")) == []

    def test_a_shop_that_is_frozen(self, well: Run, standin: Standin) -> None:
        standin.fail_next(refused(402), times=None)
        (trouble,) = troubles(well("doctor"))
        assert "frozen until its bill is paid" in trouble

    @pytest.mark.parametrize(
        "scope",
        ["read_products", "read_inventory", "read_markets", "read_publications", "read_own_subscription_contracts"],
    )
    def test_an_access_scope_that_is_missing(self, scope: str, well: Run, standin: Standin) -> None:
        standin.missing_scopes.add(scope)
        (trouble,) = troubles(well("doctor"))
        assert trouble.startswith(f"live: the app lacks the access scope {scope}. ")
        assert trouble.endswith("connect again: bundlesvc platform connect --shop live")

    def test_all_that_are_missing_are_named(self, well: Run, standin: Standin) -> None:
        standin.missing_scopes |= {"read_products", "read_markets"}
        (trouble,) = troubles(well("doctor"))
        assert "lacks the access scopes read_products, read_markets. " in trouble

    def test_who_may_write_may_read(self, well: Run, standin: Standin) -> None:
        installation = {"accessScopes": [{"handle": f"write_{name}"} for name in ("products", "inventory", "markets")]}
        installation["accessScopes"] += [{"handle": "read_publications"}, {"handle": "read_own_subscription_contracts"}]
        standin.fail_next(Answered(200, {"data": {"currentAppInstallation": installation}}), "AccessScopes")
        assert troubles(well("doctor")) == []

    def test_a_scope_that_is_missing_all_the_same_shows_when_it_is_needed(self, well: Run, standin: Standin) -> None:
        denied = {"message": "Access denied for priceList field.", "extensions": {"code": "ACCESS_DENIED"}}
        standin.fail_next(graphql_errors(denied), "ResolvedMarket")
        (trouble,) = troubles(well("doctor"))
        assert trouble.startswith(f"live: {DOMAIN}: an access scope is missing: Access denied")

    def test_selling_plans_are_not_asked_for_by_a_shop_without_subscriptions(
        self, well: Run, standin: Standin, tmp_path: Path
    ) -> None:
        load(well, tmp_path, SHOP_FILE.replace("[subscriptions]", "[]"))
        standin.missing_scopes.add("read_own_subscription_contracts")
        assert troubles(well("doctor")) == []

    def test_a_version_that_the_platform_no_longer_has(self, well: Run, standin: Standin) -> None:
        standin.versions = ("2027-01",)
        (trouble,) = troubles(well("doctor"))
        assert trouble.startswith(f"live: {DOMAIN}: the platform responds with API version 2027-01 instead of")

    def test_markets_of_the_shop_change_nothing(self, well: Run, standin: Standin) -> None:
        standin.shop.markets.append(Market(101, "America", ("US",), "USD"))
        assert troubles(well("doctor")) == []


class TestOfWhatBundlesName:
    def test_a_product_that_is_gone(self, well: Run, standin: Standin) -> None:
        del standin.shop.products[MUG]
        assert troubles(well("doctor")) == ["live: bundle 42 (Crate): the product 2 does not exist"]

    def test_a_variant_that_is_gone(self, well: Run, standin: Standin) -> None:
        standin.shop.products[SHIRT].variants.pop()
        assert troubles(well("doctor")) == ["live: bundle 42 (Crate): Product 1 (1) has no variant 10002"]

    def test_a_required_variant_that_is_gone(self, well: Run, standin: Standin) -> None:
        standin.shop.products[SHIRT].variants.pop(0)
        assert troubles(well("doctor")) == ["live: bundle 42 (Crate): Product 1 (1) has no variant 10001"]

    def test_the_bundles_own_product_is_gone(self, well: Run, standin: Standin) -> None:
        del standin.shop.products[BOX]
        assert troubles(well("doctor")) == ["live: bundle 42 (Crate): its own product 9 does not exist"]

    def test_the_parent_variant_is_gone(self, well: Run, standin: Standin) -> None:
        standin.shop.products[BOX].variants[0].id = 90099
        assert troubles(well("doctor")) == [
            "live: bundle 42 (Crate): its parent variant 90001 is not a variant of Product 9 (9)"
        ]

    def test_all_at_once(self, well: Run, standin: Standin) -> None:
        standin.shop.products.clear()
        standin.shop.webhook_subscriptions.clear()
        found = troubles(well("doctor"))
        assert [trouble.removeprefix("live: bundle 42 (Crate): ") for trouble in found[:3]] == [
            "its own product 9 does not exist",
            "the product 1 does not exist",
            "the product 2 does not exist",
        ]
        assert len(found) == 4

    @pytest.mark.parametrize("status", ["DRAFT", "ARCHIVED"])
    def test_a_product_that_is_not_sold_is_told_and_no_fault(self, status: str, well: Run, standin: Standin) -> None:
        standin.shop.products[MUG].status = status
        result = well("doctor")
        assert troubles(result) == []
        assert f"• live: Product 2 (2) is {status}: it is not sold" in result.out.splitlines()

    def test_gifts_and_fees_are_variants_of_any_product(self, well: Run, standin: Standin, tmp_path: Path) -> None:
        load(well, tmp_path, SHOP_FILE.replace("quantity: 1}]}", f"quantity: 1}}], {EXTRAS}}}"))
        assert troubles(well("doctor")) == [
            "live: bundle 42 (Crate): the variant 30001, a free item, does not exist",
            "live: bundle 42 (Crate): the variant 40001, the fee of Engraving, does not exist",
        ]
        standin.shop.add(product(3), product(4))
        assert troubles(well("doctor")) == []

    def test_a_catalogue_of_many_products(self, well: Run, standin: Standin, tmp_path: Path) -> None:
        """They are asked for in few calls, and each that is missing is told."""
        numbers = range(100, 400)
        offers = ", ".join(f'{{bundleItemId: {number}, platformProductId: "{number}"}}' for number in numbers)
        sections = f"[{{id: 1, name: All, order: 0, products: [{offers}]}}]"
        load(well, tmp_path, f"{SHOP_FILE}  - {{id: 43, name: All, type: native, sections: {sections}}}\n")
        standin.shop.add(*(product(number) for number in numbers if number % 100))
        assert [trouble.removeprefix("live: bundle 43 (All): ") for trouble in troubles(well("doctor"))] == [
            f"the product {number} does not exist" for number in (100, 200, 300)
        ]
        assert standin.calls["ProductsById"] == 2


EXTRAS = """
     conditions: [{id: a1, kind: action, type: free-item, variantId: "30001", quantity: 1}],
     personalisation: {"1": [{id: f1, key: engraving, label: Engraving, type: text,
                              fee: {variantId: "40001", amount: "2.00", currencyCode: EUR}}]}"""


class TestOfWebhooks:
    def test_none(self, connected: Run) -> None:
        (trouble,) = troubles(connected("doctor"))
        assert trouble == (
            f"live: not subscribed to {', '.join(CHANGES)}: changes show late. "
            "Subscribe: bundlesvc platform webhooks subscribe --shop live --url https://…"
        )

    def test_some(self, well: Run, standin: Standin) -> None:
        del standin.shop.webhook_subscriptions[1]
        (trouble,) = troubles(well("doctor"))
        assert trouble.startswith("live: not subscribed to products/update: ")

    def test_those_of_another_shop_are_not_ours(self, connected: Run, standin: Standin) -> None:
        standin.shop.webhook_subscriptions += subscriptions("https://bundles.example/webhooks/platform/other")
        (trouble,) = troubles(connected("doctor"))
        assert ", ".join(CHANGES) in trouble

    def test_at_the_address_that_most_go_to(self, well: Run, standin: Standin) -> None:
        """Those of a host that the service has left may be there still."""
        old = "https://old.example/webhooks/platform/live"
        standin.shop.webhook_subscriptions[:0] = subscriptions(old)[:3]
        result = well("doctor")
        assert troubles(result) == []
        assert f"live: tells of changes at {ADDRESS}; topics: {len(CHANGES)}" in good(result)


def test_help_says_what_it_looks_at(run: Run) -> None:
    said = " ".join(run("doctor", "--help").out.split())
    assert "the database, Redis, the shops and their live platforms" in said
    assert "Exit status 1 when anything is" in said
