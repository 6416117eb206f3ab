"""Invalid options of the plugin are rejected with an error that names the option and reveals no secret."""

import json
import subprocess
from typing import Any

import pytest

from bundlesvc.token_cipher import DISCOUNT, derived_keys
from tests.process.serving import SECRET_KEY
from tests.storefront.node import require_node
from tests.vendure_plugin.plugin import compiled_plugin

pytestmark = pytest.mark.process

RIGHT = {"shop": "demo", "keys": derived_keys([SECRET_KEY], DISCOUNT), "countries": {"US": "us"}}
SECRET = "whsec_" + "A" * 43 + "="
WEBHOOKS = {"url": "https://bundles.example/", "secret": SECRET}
_CHECK = """
const { checkedSettings } = require(process.argv[1]);
const { webhooks } = checkedSettings(JSON.parse(process.argv[2]));
process.stdout.write(webhooks?.url ?? "none");
"""


def checked(**options: Any) -> "subprocess.CompletedProcess[str]":
    """Run the plugin's check of its options, which prints the address for the plugin's webhooks, or an error."""
    module = compiled_plugin() / "dist" / "options.js"
    call = [require_node(), "-e", _CHECK, str(module), json.dumps({**RIGHT, **options})]
    return subprocess.run(call, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"keys": []}, "`keys` is empty"),
        ({"keys": ["secret-of-mine"]}, "Key 1 is not a key"),
        ({"shop": ""}, "`shop` is empty"),
        ({"maxAgeDays": 0}, "`maxAgeDays`"),
        ({"webhooks": {"url": "bundles.example", "secret": "whsec_" + "A" * 43 + "="}}, "`webhooks.url`"),
        ({"webhooks": {"url": "https://bundles.example", "secret": "secret-of-mine"}}, "`webhooks.secret`"),
        ({"countries": {"Germany": "de"}}, "`countries` has Germany"),
    ],
)
def test_wrong_option_is_refused_by_name(wrong: dict[str, Any], sentence: str) -> None:
    done = checked(**wrong)
    assert done.returncode
    assert sentence in done.stderr
    assert "secret-of-mine" not in done.stderr


@pytest.mark.parametrize(
    ("options", "address"),
    [({}, "none"), ({"webhooks": WEBHOOKS}, "https://bundles.example/webhooks/platform/demo")],
)
def test_address_of_webhooks(options: dict[str, Any], address: str) -> None:
    done = checked(**options)
    assert (done.returncode, done.stdout) == (0, address), done.stderr
