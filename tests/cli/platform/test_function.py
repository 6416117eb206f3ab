"""`bundlesvc platform function` exports the checkout function, activates it in a shop, and prints the state of its installation
there."""

import json
import time
import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.platforms.shopify.app.function.package import extension_files, version
from bundlesvc.ports import TokenCipher
from bundlesvc.token_cipher import (
    DISCOUNT,
    FernetCipher,
    credentials_cipher,
    derived_keys,
    discount_cipher,
    new_secret_key,
)
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import Connect
from tests.cli.installed_function import PLACE, deploy_function, install_function
from tests.conftest import SECRET_KEY
from tests.standin.app.deployment import deploy
from tests.standin.data.carts import Cart, CartLine
from tests.standin.data.functions import CartTransform, Metafield
from tests.standin.data.shop import Shop
from tests.standin.faults import CutAfter, server_error
from tests.standin.server import Standin

ACTIVATE = ("platform", "function", "activate", "--shop", "live")
STATUS = ("platform", "function", "status", "--shop", "live")
KEYS = derived_keys([SECRET_KEY], DISCOUNT)
CONFIG = {"shop": "live", "keys": KEYS}


@pytest.fixture
def deployed(connected: Run, standin: Standin) -> Run:
    """The command line with the shop "live" connected and the function deployed but not activated."""
    deploy_function(standin.shop)
    return connected


def configurations(standin: Standin) -> list[Any]:
    """The content of the metafields of the cart transforms and the discounts."""
    app = standin.shop.functions
    found = [one.metafields for one in app.cart_transforms] + [one.metafields for one in app.discounts]
    return [json.loads(metafields[PLACE].value) for metafields in found]


class TestExport:
    def test_folder_is_deployed_as_it_is(self, run: Run, tmp_path: Path) -> None:
        folder = tmp_path / "app" / "extensions" / "bundles"
        result = run("platform", "function", "export", folder)
        assert (result.code, result.err) == (0, f"Version {version()}. {TELLS}\n")
        assert result.out.splitlines() == [str(folder / name) for name in extension_files()]
        shop = Shop()
        deploy(shop, folder)
        assert [target.name for one in shop.functions.deployed for target in one.targets] == [
            "cart.transform.run",
            "cart.lines.discounts.generate.run",
        ]
        assert {one.description for one in shop.functions.deployed} == {f"bundlesvc {version()}"}

    def test_functions_keep_their_ids_when_they_are_exported_again(self, run: Run, tmp_path: Path) -> None:
        """Functions keep their ids when they are exported again, because the platform's tool deletes and recreates a function
        whose uid has changed."""
        run("platform", "function", "export", tmp_path / "one")
        run("platform", "function", "export", tmp_path / "two")
        one, two = (
            [each["uid"] for each in tomllib.loads((tmp_path / name / MANIFEST).read_text())["extensions"]]
            for name in ("one", "two")
        )
        assert one == two
        assert len(set(one)) == 2

    def test_folder_that_exists_is_refused(self, run: Run, tmp_path: Path) -> None:
        folder = tmp_path / "here"
        folder.mkdir()
        assert_error(run("platform", "function", "export", folder), f"{folder} exists", "--force")
        assert list(folder.iterdir()) == []

    def test_force_replaces_the_function_and_leaves_other_files(self, run: Run, tmp_path: Path) -> None:
        folder = tmp_path / "here"
        folder.mkdir()
        (folder / MANIFEST).write_text("old")
        (folder / "README.md").write_text("mine")
        assert run("platform", "function", "export", folder, "--force").code == 0
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
            **extension_files(),
            "README.md": b"mine",
        }

    def test_file_of_this_name_is_refused(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        assert_error(run("platform", "function", "export", tmp_path / "file", "--force"), "is not a folder")

    def test_folder_that_cannot_be_written_is_reported(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        assert_error(run("platform", "function", "export", tmp_path / "file" / "folder"), "file")


TELLS = "Deploy it, then activate it in each shop of the app."
MANIFEST = "shopify.extension.toml"


class TestActivate:
    def test_both_parts_are_created_with_the_keys(self, deployed: Run, standin: Standin) -> None:
        result = deployed(*ACTIVATE)
        assert (result.code, result.out) == (0, "cart transform: created\ndiscount: created\n"), result.err
        assert result.err == f"live: the function is active, with the keys {key_name(KEYS[0])}.\n"
        merge, discount = standin.shop.functions.deployed
        (transform,), (automatic,) = standin.shop.functions.cart_transforms, standin.shop.functions.discounts
        assert (transform.function_id, transform.block_on_failure) == (merge.id, False)
        assert (automatic.function_id, automatic.classes, automatic.cycle_limit) == (discount.id, ("PRODUCT",), 0)
        assert (automatic.one_time, automatic.subscription) == (True, True)
        assert automatic.combines_with == {"ORDER", "PRODUCT", "SHIPPING"}
        assert configurations(standin) == [CONFIG, CONFIG]

    def test_doctor_and_status_have_no_problem_afterwards(self, deployed: Run) -> None:
        deployed(*ACTIVATE)
        result = deployed(*STATUS)
        assert (result.code, result.err) == (0, "")
        assert "checkout function is active" in deployed("doctor").out

    def test_a_second_time_nothing_changes(self, deployed: Run, standin: Standin) -> None:
        deployed(*ACTIVATE)
        before = list(standin.requests)
        result = deployed(*ACTIVATE)
        assert (result.code, result.out) == (0, "cart transform: unchanged\ndiscount: unchanged\n")
        sent = standin.requests[len(before) :]
        assert not [request for request in sent if request.document.lstrip().startswith("mutation")]

    def test_new_keys_are_written_and_old_ones_removed(
        self, deployed: Run, standin: Standin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deployed(*ACTIVATE)
        secret = new_secret_key()
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{SECRET_KEY},{secret}")
        result = deployed(*ACTIVATE)
        assert (result.code, result.out) == (0, "cart transform: updated\ndiscount: updated\n"), result.err
        both = {"shop": "live", "keys": derived_keys([SECRET_KEY, secret], DISCOUNT)}
        assert configurations(standin) == [both, both]
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
        assert deployed(*ACTIVATE).code == 0
        assert configurations(standin) == [CONFIG, CONFIG]

    def test_secret_keys_themselves_are_not_written(self, deployed: Run, standin: Standin) -> None:
        deployed(*ACTIVATE)
        assert all(SECRET_KEY not in json.dumps(request.variables) for request in standin.requests)

    def test_maximum_age_is_written_and_stays(self, deployed: Run, standin: Standin) -> None:
        assert deployed(*ACTIVATE, "--max-age-days", 7).code == 0
        wanted = {**CONFIG, "maxAgeDays": 7}
        assert configurations(standin) == [wanted, wanted]
        assert deployed(*ACTIVATE).out == "cart transform: unchanged\ndiscount: unchanged\n"

    def test_block_on_failure_is_switched(self, deployed: Run, standin: Standin) -> None:
        """Block-on-failure is switched on by deleting and recreating the cart transform, because the platform has no mutation for
        changing it."""
        deployed(*ACTIVATE, "--max-age-days", 7)
        assert deployed(*ACTIVATE, "--block-on-failure").out == "cart transform: updated\ndiscount: unchanged\n"
        (transform,) = standin.shop.functions.cart_transforms
        assert transform.block_on_failure
        assert configurations(standin)[0] == {**CONFIG, "maxAgeDays": 7}
        assert deployed(*ACTIVATE).out == "cart transform: unchanged\ndiscount: unchanged\n"
        assert "blockOnFailure on" in deployed("doctor").out

    def test_a_discount_that_has_ended_is_started_again(self, deployed: Run, standin: Standin) -> None:
        deployed(*ACTIVATE)
        (discount,) = standin.shop.functions.discounts
        discount.ends_at, discount.title = "2026-02-01T00:00:00Z", "Ours"
        assert deployed(*ACTIVATE).out == "cart transform: unchanged\ndiscount: updated\n"
        (started,) = standin.shop.functions.discounts
        assert (started.ends_at, started.title, started.cycle_limit) == (None, "Ours", 0)

    def test_a_discount_that_has_not_begun_is_started(self, deployed: Run, standin: Standin) -> None:
        deployed(*ACTIVATE)
        standin.shop.functions.discounts[0].starts_at = "2126-01-01T00:00:00Z"
        assert deployed(*ACTIVATE).out == "cart transform: unchanged\ndiscount: updated\n"
        assert standin.shop.functions.discounts[0].status == "ACTIVE"

    def test_only_what_is_missing_is_created(self, deployed: Run, standin: Standin) -> None:
        """Activation creates only what is missing, for example after an interrupted activation."""
        standin.fail_next(server_error(500), "CreateAutomaticDiscount")
        assert deployed(*ACTIVATE).code == 1
        assert deployed(*ACTIVATE).out == "cart transform: unchanged\ndiscount: created\n"

    def test_a_lost_response_creates_nothing_twice(self, deployed: Run, standin: Standin) -> None:
        standin.fail_next(CutAfter(), "CreateCartTransform")
        deployed(*ACTIVATE)
        assert deployed(*ACTIVATE).code == 0
        assert len(standin.shop.functions.cart_transforms) == len(standin.shop.functions.discounts) == 1

    def test_a_function_that_is_not_deployed_is_reported(self, connected: Run, standin: Standin) -> None:
        result = connected(*ACTIVATE)
        assert_error(result, "the app has no function bundlesvc-merge, bundlesvc-discount", "export", "deploy")
        assert standin.shop.functions.cart_transforms == []

    @pytest.mark.parametrize(
        ("missing", "named"),
        [
            ({"write_cart_transforms"}, "the access scope write_cart_transforms:"),
            ({"write_cart_transforms", "write_discounts"}, "the access scopes write_cart_transforms, write_discounts:"),
        ],
    )
    def test_missing_access_scopes_are_named_and_nothing_changes(
        self, missing: set[str], named: str, deployed: Run, standin: Standin
    ) -> None:
        standin.missing_scopes |= missing
        assert_error(deployed(*ACTIVATE), f"live: the app lacks {named}", "connect the shop again")
        assert standin.shop.functions.cart_transforms == []
        assert standin.shop.functions.discounts == []

    def test_the_reason_of_the_platform_is_printed(self, deployed: Run, standin: Standin) -> None:
        standin.shop.functions.eligible = False
        assert_error(deployed(*ACTIVATE), "live: cartTransformCreate: Shop must be on a Shopify Plus plan")

    def test_another_cart_transform_of_the_app_is_left_alone(self, deployed: Run, standin: Standin) -> None:
        standin.shop.functions.cart_transforms.append(CartTransform(7, "another function"))
        assert_error(deployed(*ACTIVATE), "The maximum number of cart transforms per shop has been reached")
        assert [one.id for one in standin.shop.functions.cart_transforms] == [7]

    @pytest.mark.parametrize("days", ["0", "-1", "x", "4000"])
    def test_invalid_age_is_refused(self, days: str, deployed: Run) -> None:
        assert_usage(deployed(*ACTIVATE, "--max-age-days", days), "--max-age-days")

    def test_shop_with_products_from_its_file_is_refused(self, loaded: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
        assert_error(loaded("platform", "function", "activate", "--shop", "demo"), "come from its file")


FULL, PROMISED = Decimal("22.00"), Decimal("18.00")


def bought(standin: Standin, cipher: TokenCipher) -> Decimal:
    """The shop's charge for a bundle of two units, with a discount string that was encrypted with this cipher and promises a
    lower price."""
    claims = {
        "v": 2,
        "shop": "live",
        "bundle": 42,
        "bundleType": "native",
        "configured": 7,
        "type": "fixed",
        "value": "4.00",
        "original": str(FULL),
        "discounted": str(PROMISED),
        "currency": "EUR",
        "variants": {"10001": 1, "20001": 1},
        "fees": {},
        "subscription": None,
        "unique": "once",
        "test": False,
        "iat": int(time.time()),
    }
    discount = cipher.seal(claims, int(time.time()))
    lines = [CartLine(variant, 1, {"_bundle_data": "7#90001#once"}) for variant in (10001, 20001)]
    bundles = json.dumps({"7": {"discount": discount, "title": "Crate", "id": 42}})
    checkout = standin.storefront.checkout(Cart(lines=lines, attributes={"_bundles": bundles}))
    assert [run.error for run in checkout.runs] == [""] * len(checkout.runs)
    return checkout.total


class TestCharged:
    def test_discount_is_taken_off_once_the_function_is_active(self, deployed: Run, standin: Standin) -> None:
        assert bought(standin, discount_cipher([SECRET_KEY])) == FULL
        deployed(*ACTIVATE)
        assert bought(standin, discount_cipher([SECRET_KEY])) == PROMISED

    def test_new_key_counts_after_activating_again(
        self, deployed: Run, standin: Standin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deployed(*ACTIVATE)
        secret = new_secret_key()
        assert bought(standin, discount_cipher([secret])) == FULL
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{SECRET_KEY},{secret}")
        deployed(*ACTIVATE)
        assert bought(standin, discount_cipher([secret])) == PROMISED
        assert bought(standin, discount_cipher([SECRET_KEY])) == PROMISED

    def test_removed_key_counts_no_more(
        self, deployed: Run, connect: Connect, standin: Standin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deployed(*ACTIVATE)
        secret = new_secret_key()
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", secret)
        connect("--no-check")
        deployed(*ACTIVATE)
        assert bought(standin, discount_cipher([secret])) == PROMISED
        assert bought(standin, discount_cipher([SECRET_KEY])) == FULL

    def test_secret_key_itself_makes_no_discount(self, deployed: Run, standin: Standin) -> None:
        """A discount string encrypted with the secret key itself gives no discount, because the platform has only the keys
        derived for discount strings."""
        deployed(*ACTIVATE)
        assert bought(standin, FernetCipher([SECRET_KEY])) == FULL
        assert bought(standin, credentials_cipher([SECRET_KEY])) == FULL

    def test_discount_of_another_shop_is_not_taken_off(self, deployed: Run, standin: Standin) -> None:
        deployed(*ACTIVATE)
        config = json.dumps({**CONFIG, "shop": "other"})
        standin.shop.functions.cart_transforms[0].metafields[PLACE] = Metafield("json", config)
        assert bought(standin, discount_cipher([SECRET_KEY])) == FULL


class TestStatus:
    def test_table(self, connected: Run, standin: Standin) -> None:
        install_function(standin.shop)
        result = connected(*STATUS)
        assert (result.code, result.err) == (0, "")
        rows = [line.split("  ") for line in result.out.splitlines()]
        assert [[cell.strip() for cell in row if cell] for row in rows] == [
            ["part", "version", "active", "keys", "blockOnFailure"],
            ["cart transform", version(), "yes", key_name(KEYS[0]), "no"],
            ["discount", version(), "yes", key_name(KEYS[0]), "-"],
        ]

    def test_json(self, connected: Run, standin: Standin) -> None:
        install_function(standin.shop)
        assert connected(*STATUS, "--json").json == {
            "version": version(),
            "keys": [key_name(KEYS[0])],
            "parts": [
                {"part": "cart transform", **PART, "blockOnFailure": False},
                {"part": "discount", **PART, "blockOnFailure": None},
            ],
            "faults": [],
            "missingScopes": [],
        }

    def test_faults_are_printed_with_exit_status_1(self, deployed: Run, standin: Standin) -> None:
        merge, _ = standin.shop.functions.deployed
        standin.shop.functions.deploy(replace(merge, description="bundlesvc 0.0.9+000000000000"))
        result = deployed(*STATUS, "--json")
        assert result.code == 1
        assert result.json["faults"] == [
            f"the function for the cart transform is 0.0.9+000000000000, and this service has {version()}.",
            "the cart transform is not active.",
            "the discount is not active.",
        ]
        assert result.err.count("\n") == 3

    def test_missing_access_scopes_are_named(self, connected: Run, standin: Standin) -> None:
        standin.missing_scopes.add("read_discounts")
        assert_error(connected(*STATUS), "live: the app lacks read_discounts: ", "connect again")


PART = {"version": version(), "active": True, "keys": [key_name(KEYS[0])]}
