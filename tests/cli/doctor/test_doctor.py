"""`bundlesvc doctor` prints every problem with its remedy, and lists everything that works."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.platforms.shopify.app.function.package import version
from bundlesvc.platforms.shopify.webhooks.messages import CHANGES, NOTICES
from bundlesvc.storage.database.sqlite import connections, file
from bundlesvc.storage.database.sqlite.file import SqliteDatabase
from bundlesvc.token_cipher import DISCOUNT, derived_keys, new_secret_key
from tests.cli.command_line import Result, Run, assert_error
from tests.cli.conftest import Connect
from tests.cli.installed_function import PLACE, configured, install_function
from tests.cli.live_shop import BOX, CLIENT_CREDENTIALS, DOMAIN, MUG, SHIRT, SHOP_FILE
from tests.conftest import SECRET_KEY
from tests.process.shop import SHOP
from tests.servers.redis_groups import Cluster
from tests.servers.redis_server import RedisServer
from tests.standin.app.webhooks import SECRET
from tests.standin.data.functions import Functions, Metafield
from tests.standin.data.generated import product
from tests.standin.data.shop import Market, WebhookSubscription
from tests.standin.faults import Answered, Delayed, Held, graphql_errors, refused, server_error
from tests.standin.server import ACCESS_TOKEN, Standin
from tests.storage.locking import writing

TOPICS = [*CHANGES, *NOTICES]
ADDRESS = "https://bundles.example/webhooks/platform/live"
KEY_NAME = key_name(derived_keys([SECRET_KEY], DISCOUNT)[0])
UNDECRYPTED = (
    "live: no key in BUNDLESVC_SECRET_KEYS decrypts its credentials. Add the key that encrypted them to the end of "
    "BUNDLESVC_SECRET_KEYS, or connect it again: bundlesvc platform connect --shop live"
)
OLDER = (
    "• live: its credentials are encrypted with an older secret key, or by an earlier version. Encrypt them with the first "
    "key: bundlesvc secrets reseal"
)
DATABASE = "✓ the database responds, and its tables are up to date"


@pytest.fixture
def installed(connected: Run, standin: Standin) -> Run:
    """The command line, with the shop "live" connected and the checkout function installed in that shop."""
    install_function(standin.shop)
    return connected


@pytest.fixture
def healthy(installed: Run, standin: Standin) -> Run:
    """The command line, with a shop "live" that has no problems."""
    standin.shop.webhook_subscriptions += subscriptions(ADDRESS)
    return installed


def subscriptions(address: str) -> list[WebhookSubscription]:
    """Webhook subscriptions to all topics, all with the same address."""
    return [
        WebhookSubscription(number, topic.replace("/", "_").upper(), address) for number, topic in enumerate(TOPICS)
    ]


def problems(result: Result) -> list[str]:
    """The problems that `doctor` reports, each on its own line. Their number is printed at the end and determines the exit
    status."""
    found = [line.removeprefix("✗ ") for line in result.out.splitlines() if line.startswith("✗ ")]
    if found:
        count = "1 problem" if len(found) == 1 else f"{len(found)} problems"
        assert (result.code, result.err) == (1, f"bundlesvc: {count} found.\n")
    else:
        assert (result.code, result.err) == (0, "")
        assert result.out.endswith("\nNo problems found.\n")
    return found


def good(result: Result) -> list[str]:
    return [line.removeprefix("✓ ") for line in result.out.splitlines() if line.startswith("✓ ")]


def load(run: Run, folder: Path, shop_file: str) -> None:
    path = folder / "changed.yaml"
    path.write_text(shop_file)
    assert run("load", path).code == 0


class TestService:
    @pytest.fixture
    def run(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
        return run

    def test_a_database_without_shops_is_reported(self, run: Run) -> None:
        result = run("doctor")
        assert problems(result) == ["There is no shop yet. Load one: bundlesvc load FILE"]
        assert result.out.startswith(DATABASE)

    def test_an_embedded_shop_has_no_problems(self, run: Run) -> None:
        run("load", SHOP)
        result = run("doctor")
        assert problems(result) == []
        assert result.out.splitlines() == [DATABASE, "✓ demo: products from its file; bundles: 3", "No problems found."]

    def test_a_disabled_shop_is_reported(self, run: Run) -> None:
        run("load", SHOP)
        run("shops", "disable", "demo")
        assert problems(run("doctor")) == ["demo: not enabled. Enable it: bundlesvc shops enable demo"]

    @pytest.mark.parametrize(
        ("pragma", "problem"),
        [
            ("max_page_count = 1", "the database fails (full): database or disk is full. Free space on its disk"),
            (
                "query_only = ON",
                "the database fails (read_only): attempt to write a readonly database. Let the service",
            ),
        ],
    )
    def test_a_database_that_cannot_be_written_is_reported(
        self, pragma: str, problem: str, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def write(connection: Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA {pragma}")
            connection.exec_driver_sql("CREATE TABLE much AS SELECT zeroblob(1000000)")

        run("load", SHOP)
        monkeypatch.setattr(file, "write_something", write)
        (reported,) = problems(run("doctor"))
        assert reported.startswith(problem)

    def test_a_locked_database_is_reported(
        self, run: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run("load", SHOP)
        monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", 10)
        with writing(str(database_path)):
            (reported,) = problems(run("doctor"))
        assert reported.startswith("the database fails (locked): database is locked. Find the program")

    def test_little_free_space_is_reported(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        run("load", SHOP)
        monkeypatch.setattr(SqliteDatabase, "_free_bytes", lambda _: 63 * 1024 * 1024)
        (reported,) = problems(run("doctor"))
        assert reported.startswith("the database's disk has 63 MiB left. Free space on its disk")

    def test_secret_keys_are_required(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("BUNDLESVC_SECRET_KEYS")
        assert_error(run("doctor"), "BUNDLESVC_SECRET_KEYS is not set")

    def test_demo_mode_has_its_own_keys(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("BUNDLESVC_SECRET_KEYS")
        monkeypatch.setenv("BUNDLESVC_DEMO", "1")
        run("load", SHOP)
        assert problems(run("doctor")) == []

    def test_an_unusable_database_is_reported(self, run: Run, database_path: Path) -> None:
        database_path.mkdir(parents=True)
        assert_error(run("doctor"), f"{database_path}: This is a folder, not a database.")

    def test_a_working_redis_is_confirmed(
        self, run: Run, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, long_redis_timeout: None
    ) -> None:
        monkeypatch.setenv("REDIS_URL", redis.url)
        run("load", SHOP)
        result = run("doctor")
        assert problems(result) == []
        assert good(result)[0] == f"Redis at 127.0.0.1:{redis.port} responds"

    def test_the_servers_of_a_cluster_are_named(
        self, run: Run, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, long_redis_timeout: None
    ) -> None:
        monkeypatch.setenv("REDIS_URL", cluster.url)
        run("load", SHOP)
        result = run("doctor")
        assert problems(result) == []
        hosts = cluster.url.removeprefix("redis+cluster://").replace(",", ", ")
        assert good(result)[0] == f"Redis Cluster at {hosts} responds"

    def test_sentinels_that_cannot_be_reached_are_reported(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", "redis+sentinel://user:hunter2@127.0.0.1:1,127.0.0.1:2/primary")
        run("load", SHOP)
        result = run("doctor")
        (problem,) = problems(result)
        assert problem.startswith(
            "Redis primary of the Sentinels at 127.0.0.1:1, 127.0.0.1:2 cannot be used (none of them"
        )
        assert "hunter2" not in result.out + result.err

    def test_an_unreachable_redis_is_reported_and_the_rest_is_checked(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("REDIS_URL", "redis://user:hunter2@127.0.0.1:1/0")
        run("load", SHOP)
        result = run("doctor")
        (problem,) = problems(result)
        assert problem.startswith("Redis at 127.0.0.1:1 cannot be used")
        assert "hunter2" not in result.out + result.err
        assert "demo: products from its file; bundles: 3" in good(result), "the rest is checked, too"

    def test_a_hanging_redis_is_reported(self, run: Run, redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", redis.url)
        run("load", SHOP)
        redis.pause()
        try:
            (problem,) = problems(run("doctor"))
        finally:
            redis.resume()
        assert "cannot be used (no response within 0.5 seconds)" in problem

    def test_a_wrong_redis_password_is_reported_and_not_shown(
        self, run: Run, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, long_redis_timeout: None
    ) -> None:
        monkeypatch.setenv("REDIS_URL", redis.url_of_user.replace("hunter2", "hunter3"))
        run("load", SHOP)
        (problem,) = problems(run("doctor"))
        assert problem.startswith(f"Redis at 127.0.0.1:{redis.port} cannot be used")
        assert "hunter" not in problem

    @pytest.mark.parametrize(
        "place", ["localhost:99999", "localhost?nope=1", "localhost?ssl_nope=1", "localhost?db=none", "host/x/y"]
    )
    def test_an_invalid_redis_address_is_reported(self, place: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        run("load", SHOP)
        monkeypatch.setenv("REDIS_URL", f"redis://user:hunter2@{place}")
        result = run("doctor")
        assert result.code == 1
        assert "REDIS_URL" in result.out + result.err
        assert "Traceback" not in result.err
        assert "hunter2" not in result.out + result.err


class TestLiveShop:
    def test_a_healthy_shop_has_no_problems(self, healthy: Run) -> None:
        result = healthy("doctor")
        assert problems(result) == []
        assert good(result)[1:] == [
            f"live: {DOMAIN} responds; bundles: 1",
            f"live: webhooks are sent to {ADDRESS}; topics: {len(TOPICS)}",
            (
                f"live: the checkout function is active: cart transform {version()}, keys {KEY_NAME}, blockOnFailure off; "
                f"discount {version()}, keys {KEY_NAME}"
            ),
        ]

    def test_nothing_is_changed_on_the_platform(self, healthy: Run, standin: Standin) -> None:
        healthy("doctor")
        assert not [request for request in standin.requests if request.document.lstrip().startswith("mutation")]

    def test_every_shop_is_checked(self, healthy: Run, standin: Standin) -> None:
        healthy("load", SHOP)
        healthy("shops", "disable", "demo")
        standin.tokens.clear()
        found = problems(healthy("doctor"))
        assert [problem.split(": ")[0] for problem in found] == ["live", "demo"]

    def test_a_shop_without_credentials_is_reported(self, live: Run, standin: Standin) -> None:
        (problem,) = problems(live("doctor"))
        assert problem.startswith("live: not connected")
        assert problem.endswith("Connect it: bundlesvc platform connect --shop live")
        assert standin.requests == []

    def test_credentials_of_other_secret_keys_are_reported(self, healthy: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", new_secret_key())
        assert problems(healthy("doctor")) == [UNDECRYPTED]

    def test_credentials_that_depend_on_an_older_secret_key_are_a_note(
        self, healthy: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert OLDER not in healthy("doctor").out
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{new_secret_key()},{SECRET_KEY}")
        assert OLDER in healthy("doctor").out.splitlines()

    def test_renewing_a_token_encrypts_the_credentials_with_the_first_key(
        self, live: Run, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert connect("--client-credentials", "--no-check", secrets=CLIENT_CREDENTIALS).code == 0
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{new_secret_key()},{SECRET_KEY}")
        assert OLDER not in live("doctor").out

    def test_credentials_of_another_domain_are_reported(self, healthy: Run, tmp_path: Path) -> None:
        load(healthy, tmp_path, SHOP_FILE.replace(DOMAIN, "moved.myshopify.com"))
        (problem,) = problems(healthy("doctor"))
        assert "another domain" in problem

    def test_a_refused_token_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.tokens.clear()
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith(f"live: {DOMAIN}: the access token is refused")
        assert "HTTP 401" in problem

    def test_client_credentials_are_tried_while_the_token_is_valid(
        self, healthy: Run, connect: Connect, standin: Standin
    ) -> None:
        assert connect("--client-credentials", secrets=CLIENT_CREDENTIALS).code == 0
        assert problems(healthy("doctor")) == []
        assert standin.calls[ACCESS_TOKEN] == 2
        standin.app.client_secret = "rotated"
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith(
            f"live: {DOMAIN}: the client ID or the client secret is refused: connect the shop again (HTTP 400 invalid_client"
        )
        standin.app.client_secret = SECRET
        assert problems(healthy("doctor")) == []

    def test_a_failing_platform_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.fail_next(server_error(503), times=None)
        (problem,) = problems(healthy("doctor"))
        assert problem == f"live: {DOMAIN}: The commerce platform cannot be reached at the moment."

    def test_a_hanging_platform_is_reported_after_the_timeout(
        self, healthy: Run, standin: Standin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BUNDLESVC_PLATFORM_TIMEOUT", "0.3")
        standin.fail_next(Held(), times=None)
        before = time.monotonic()
        (problem,) = problems(healthy("doctor"))
        reason = "The commerce platform took too long to respond."
        assert problem == f"live: {DOMAIN}: the platform fails: calls paused for 5 s ({reason})."
        assert time.monotonic() - before < 5

    def test_a_slow_platform_is_not_a_problem(self, healthy: Run, standin: Standin) -> None:
        standin.fail_next(Delayed(0.05), times=None)
        assert problems(healthy("doctor")) == []

    def test_a_frozen_shop_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.fail_next(refused(402), times=None)
        (problem,) = problems(healthy("doctor"))
        assert "frozen until its bill is paid" in problem

    @pytest.mark.parametrize(
        "scope",
        ["read_products", "read_inventory", "read_markets", "read_publications", "read_own_subscription_contracts"],
    )
    def test_a_missing_access_scope_is_named(self, scope: str, healthy: Run, standin: Standin) -> None:
        standin.missing_scopes.add(scope)
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith(f"live: the app lacks the access scope {scope}. ")
        assert problem.endswith("connect again: bundlesvc platform connect --shop live")

    def test_all_missing_access_scopes_are_named(self, healthy: Run, standin: Standin) -> None:
        standin.missing_scopes |= {"read_products", "read_markets"}
        (problem,) = problems(healthy("doctor"))
        assert "lacks the access scopes read_products, read_markets. " in problem

    def test_a_write_scope_includes_its_read_scope(self, healthy: Run, standin: Standin) -> None:
        installation = {"accessScopes": [{"handle": f"write_{name}"} for name in ("products", "inventory", "markets")]}
        names = ("read_publications", "read_own_subscription_contracts", "write_cart_transforms", "write_discounts")
        installation["accessScopes"] += [{"handle": name} for name in names]
        answer = Answered(200, {"data": {"currentAppInstallation": installation}})
        standin.fail_next(answer, "AccessScopes", times=None)
        assert problems(healthy("doctor")) == []

    def test_orders_that_are_not_read_are_a_note(self, healthy: Run, standin: Standin) -> None:
        standin.missing_scopes.add("read_orders")
        result = healthy("doctor")
        assert result.code == 0
        assert "• live: orders are not read, because the app lacks the access scope read_orders;" in result.out

    def test_a_scope_that_the_list_of_scopes_hides_is_found_by_trying(self, healthy: Run, standin: Standin) -> None:
        denied = {"message": "Access denied for priceList field.", "extensions": {"code": "ACCESS_DENIED"}}
        standin.fail_next(graphql_errors(denied), "ResolvedMarket")
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith(f"live: {DOMAIN}: an access scope is missing: Access denied")

    def test_selling_plans_are_not_needed_without_subscriptions(
        self, healthy: Run, standin: Standin, tmp_path: Path
    ) -> None:
        load(healthy, tmp_path, SHOP_FILE.replace("[subscriptions]", "[]"))
        standin.missing_scopes.add("read_own_subscription_contracts")
        assert problems(healthy("doctor")) == []

    def test_a_removed_api_version_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.versions = ("2027-01",)
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith(f"live: {DOMAIN}: the platform responds with API version 2027-01 instead of")

    def test_a_shop_with_markets_has_no_problems(self, healthy: Run, standin: Standin) -> None:
        standin.shop.markets.append(Market(101, "America", ("US",), "USD"))
        assert problems(healthy("doctor")) == []


class TestBundleReferences:
    def test_a_missing_product_is_reported(self, healthy: Run, standin: Standin) -> None:
        del standin.shop.products[MUG]
        assert problems(healthy("doctor")) == ["live: bundle 42 (Crate): the product 2 does not exist"]

    def test_a_missing_variant_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.shop.products[SHIRT].variants.pop()
        assert problems(healthy("doctor")) == ["live: bundle 42 (Crate): Product 1 (1) has no variant 10002"]

    def test_a_missing_required_variant_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.shop.products[SHIRT].variants.pop(0)
        assert problems(healthy("doctor")) == ["live: bundle 42 (Crate): Product 1 (1) has no variant 10001"]

    def test_a_missing_product_of_the_bundle_itself_is_reported(self, healthy: Run, standin: Standin) -> None:
        del standin.shop.products[BOX]
        assert problems(healthy("doctor")) == ["live: bundle 42 (Crate): its own product 9 does not exist"]

    def test_a_missing_parent_variant_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.shop.products[BOX].variants[0].id = 90099
        assert problems(healthy("doctor")) == [
            "live: bundle 42 (Crate): its parent variant 90001 is not a variant of Product 9 (9)"
        ]

    def test_all_problems_are_reported_at_once(self, healthy: Run, standin: Standin) -> None:
        standin.shop.products.clear()
        standin.shop.webhook_subscriptions.clear()
        found = problems(healthy("doctor"))
        assert [problem.removeprefix("live: bundle 42 (Crate): ") for problem in found[:3]] == [
            "its own product 9 does not exist",
            "the product 1 does not exist",
            "the product 2 does not exist",
        ]
        assert len(found) == 4

    @pytest.mark.parametrize("status", ["DRAFT", "ARCHIVED"])
    def test_a_product_that_is_not_for_sale_is_a_note_and_not_a_problem(
        self, status: str, healthy: Run, standin: Standin
    ) -> None:
        standin.shop.products[MUG].status = status
        result = healthy("doctor")
        assert problems(result) == []
        assert f"• live: Product 2 (2) is {status}: it is not for sale" in result.out.splitlines()

    def test_missing_gifts_and_fees_are_reported(self, healthy: Run, standin: Standin, tmp_path: Path) -> None:
        load(healthy, tmp_path, SHOP_FILE.replace("quantity: 1}]}", f"quantity: 1}}], {EXTRAS}}}"))
        assert problems(healthy("doctor")) == [
            "live: bundle 42 (Crate): the variant 30001, a free item, does not exist",
            "live: bundle 42 (Crate): the variant 40001, the fee of Engraving, does not exist",
        ]
        standin.shop.add(product(3), product(4))
        assert problems(healthy("doctor")) == []

    def test_many_products_need_few_calls(self, healthy: Run, standin: Standin, tmp_path: Path) -> None:
        """Many products are fetched with few calls, and each missing one is reported."""
        numbers = range(100, 400)
        offers = ", ".join(f'{{bundleItemId: {number}, platformProductId: "{number}"}}' for number in numbers)
        sections = f"[{{id: 1, name: All, order: 0, products: [{offers}]}}]"
        load(healthy, tmp_path, f"{SHOP_FILE}  - {{id: 43, name: All, type: native, sections: {sections}}}\n")
        standin.shop.add(*(product(number) for number in numbers if number % 100))
        assert [problem.removeprefix("live: bundle 43 (All): ") for problem in problems(healthy("doctor"))] == [
            f"the product {number} does not exist" for number in (100, 200, 300)
        ]
        assert standin.calls["ProductsById"] == 2


class TestCheckoutFunction:
    def test_a_function_that_is_not_deployed_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.shop.functions.deployed.clear()
        assert problems(healthy("doctor")) == [
            f"live: native bundles: the app has no function for the {part}. Export it with `bundlesvc platform function "
            "export DIR`, and deploy it. Activate it: bundlesvc platform function activate --shop live"
            for part in ("cart transform", "discount")
        ]

    def test_a_function_that_is_not_active_is_reported(self, healthy: Run, standin: Standin) -> None:
        standin.shop.functions.cart_transforms.clear()
        standin.shop.functions.discounts[0].ends_at = "2026-02-01T00:00:00Z"
        assert problems(healthy("doctor")) == [
            f"live: native bundles: the {part} is not active. "
            "Activate it: bundlesvc platform function activate --shop live"
            for part in ("cart transform", "discount")
        ]

    def test_an_old_version_is_reported(self, healthy: Run, standin: Standin) -> None:
        merge, _ = standin.shop.functions.deployed
        standin.shop.functions.deploy(replace(merge, description="bundlesvc 0.0.9+000000000000"))
        (problem,) = problems(healthy("doctor"))
        assert (
            f"the function for the cart transform is 0.0.9+000000000000, and this service has {version()}." in problem
        )
        assert problem.endswith("Export it with `bundlesvc platform function export DIR`, and deploy it.")

    def test_a_function_of_unknown_version_is_reported(self, healthy: Run, standin: Standin) -> None:
        merge, _ = standin.shop.functions.deployed
        standin.shop.functions.deploy(replace(merge, description=""))
        (problem,) = problems(healthy("doctor"))
        assert "the function for the cart transform is an unknown version" in problem

    def test_a_new_and_an_old_key_are_named(
        self, healthy: Run, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        secret = new_secret_key()
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", secret)
        connect("--no-check")
        new = key_name(derived_keys([secret], DISCOUNT)[0])
        found = problems(healthy("doctor"))
        assert [problem.split(" Activate")[0].removeprefix("live: native bundles: ") for problem in found] == [
            f"the cart transform lacks the key {new}.",
            f"the cart transform has a key that this service no longer has, {KEY_NAME}.",
            f"the discount lacks the key {new}.",
            f"the discount has a key that this service no longer has, {KEY_NAME}.",
        ]

    def test_keys_are_never_printed(self, healthy: Run) -> None:
        result = healthy("doctor")
        assert derived_keys([SECRET_KEY], DISCOUNT)[0] not in result.out + result.err

    @pytest.mark.parametrize("value", ["", "[]", "{}", '{"shop": "live", "keys": 1}', "nonsense"])
    def test_an_unreadable_configuration_is_reported(self, value: str, healthy: Run, standin: Standin) -> None:
        standin.shop.functions.cart_transforms[0].metafields[PLACE] = Metafield("json", value)
        (problem,) = problems(healthy("doctor"))
        assert "the cart transform has no readable configuration." in problem

    def test_a_configuration_for_another_shop_is_reported(self, healthy: Run, standin: Standin) -> None:
        keys = derived_keys([SECRET_KEY], DISCOUNT)
        standin.shop.functions.discounts[0].metafields = configured(keys, shop="other")
        (problem,) = problems(healthy("doctor"))
        assert "the discount is configured for another shop, other." in problem

    def test_two_active_discounts_are_reported(self, healthy: Run, standin: Standin) -> None:
        """Two active discounts are reported, because they would take the amount off twice."""
        (discount,) = standin.shop.functions.discounts
        standin.shop.functions.discounts.append(replace(discount, id=77, title="A copy"))
        (problem,) = problems(healthy("doctor"))
        assert problem == "live: native bundles: 2 of the discount are active: end all but one in the shop's admin."
        standin.shop.functions.discounts[0].ends_at = "2026-02-01T00:00:00Z"
        assert problems(healthy("doctor")) == []

    def test_missing_access_scopes_are_named(self, healthy: Run, standin: Standin) -> None:
        standin.missing_scopes |= {"read_cart_transforms", "read_discounts"}
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith("live: the app lacks read_cart_transforms, read_discounts: ")
        assert problem.endswith("connect again: bundlesvc platform connect --shop live")

    def test_bundles_that_are_not_native_do_not_need_it(self, healthy: Run, standin: Standin, tmp_path: Path) -> None:
        load(healthy, tmp_path, SHOP_FILE.replace("type: native", "type: multiple-products"))
        standin.shop.functions = Functions()
        assert problems(healthy("doctor")) == []


EXTRAS = """
     conditions: [{id: a1, kind: action, type: free-item, variantId: "30001", quantity: 1}],
     personalisation: {"1": [{id: f1, key: engraving, label: Engraving, type: text,
                              fee: {variantId: "40001", amount: "2.00", currencyCode: EUR}}]}"""


class TestWebhooks:
    def test_missing_webhooks_are_reported(self, installed: Run) -> None:
        (problem,) = problems(installed("doctor"))
        assert problem == (
            f"live: not subscribed to {', '.join(TOPICS)}: changes show late. "
            "Subscribe: bundlesvc platform webhooks subscribe --shop live --url https://…"
        )

    def test_a_missing_topic_is_named(self, healthy: Run, standin: Standin) -> None:
        del standin.shop.webhook_subscriptions[1]
        (problem,) = problems(healthy("doctor"))
        assert problem.startswith("live: not subscribed to products/update: ")

    def test_webhooks_of_another_shop_do_not_count(self, installed: Run, standin: Standin) -> None:
        standin.shop.webhook_subscriptions += subscriptions("https://bundles.example/webhooks/platform/other")
        (problem,) = problems(installed("doctor"))
        assert ", ".join(TOPICS) in problem

    def test_the_most_used_address_counts(self, healthy: Run, standin: Standin) -> None:
        """`doctor` goes by the address to which most webhooks are sent, because subscriptions with an earlier address of the
        service may still exist."""
        old = "https://old.example/webhooks/platform/live"
        standin.shop.webhook_subscriptions[:0] = subscriptions(old)[:3]
        result = healthy("doctor")
        assert problems(result) == []
        assert f"live: webhooks are sent to {ADDRESS}; topics: {len(TOPICS)}" in good(result)


def test_help_names_what_is_checked(run: Run) -> None:
    help_text = " ".join(run("doctor", "--help").out.split())
    assert "the database, Redis, the shops and their live platforms" in help_text
    assert "The exit status is 1 if there is a problem" in help_text
