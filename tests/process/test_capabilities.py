"""The service runs without each capability around its core: its files are deleted, and the line that mounts it."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import bundlesvc
from tests.process.serving import BASE, command, prepare, selection, serving
from tests.process.shop import BOX, MUG, PLAIN_MUG

PACKAGE = Path(bundlesvc.__file__).parent
SHOPIFY = {"from bundlesvc.platforms.shopify.engine import shopify\n": "", "(shopify, vendure)": "(vendure,)"}
AGENTS = {
    "from bundlesvc.api.agents.routes import add_agents\n": "",
    "    add_agents(app, settings.base_path, gate, settings.hand_over_url)\n": "",
    "    _add_completion_tool(app)\n": "",
}
VENDURE = {"from bundlesvc.platforms.vendure.engine import vendure\n": "", "(shopify, vendure)": "(shopify,)"}

REVISIONS = (
    "domain/revisions",
    "ports/revisions.py",
    "services/revisions",
    "storage/revisions",
    "shop_file/contents.py",
    "api/manage/revisions",
    "cli/revisions",
)
FIRST_PAINT = {"    _add_first_paint(app, settings.base_path)\n": "", "        _add_bundle_pages(app)\n": ""}

ORDERS = ("domain/orders", "ports/orders.py", "services/orders", "storage/orders", "api/manage/orders", "cli/orders")
BUYING = {"        _add_buying(app, gate, adapters, ids or RandomIds())\n": ""}
DEMO = {"BUNDLESVC_DEMO": "1", "BUNDLESVC_SECRET_KEYS": None}
REPORTS = (
    "domain/reports",
    "ports/reports.py",
    "services/reports",
    "storage/reports",
    "api/manage/reports",
    "cli/reports",
)
EXPERIMENTS = (
    "domain/experiments",
    "ports/experiments.py",
    "services/experiments",
    "storage/experiments",
    "api/manage/experiments",
    "cli/experiments",
)


@dataclass(frozen=True)
class Capability:
    """`files`: its folders and modules. `mounted_in`: the module that names it, and `lines`: what stands there, with what
    remains; `elsewhere`: further modules with their lines."""

    files: tuple[str, ...]
    mounted_in: str = ""
    lines: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


CAPABILITIES = {
    "completion": Capability(
        ("domain/completion", "services/completion", "api/completion"),
        "app.py",
        {
            "    _add_completion(app, settings, adapters.platform, core.price_selection)\n": "",
            "    _add_completion_tool(app)\n": "",
        },
    ),
    "the first paint": Capability(("api/first_paint", "storefront/html"), "app.py", FIRST_PAINT),
    "the demo": Capability(("demo",)),
    "the tools for assistants": Capability(("api/agents", "services/agents", "domain/agents"), "app.py", AGENTS),
    "the preview": Capability(("preview", "cli/preview.py"), "cli/main.py", {'        "preview": "preview",\n': ""}),
    "orders": Capability(
        (*ORDERS, "demo/buying"),
        "app.py",
        {"    _add_orders(app, manage, adapters, core, settings, discounts, outbox)\n": "", **BUYING},
        {"cli/doctor.py": {'("orders.diagnosis",)': "()"}},
    ),
    "buying in the demo": Capability(("demo/buying",), "app.py", BUYING),
    "the results of A/B tests": Capability(
        EXPERIMENTS, "app.py", {"    _add_experiments(app, manage, adapters)\n": ""}
    ),
    "reports": Capability(REPORTS, "app.py", {"    _add_reports(app, manage, adapters)\n": ""}),
    "revisions": Capability(REVISIONS, "app.py", {"    _add_revisions(app, settings, manage, adapters)\n": ""}),
    "the studio": Capability(("studio",)),
    "tracing": Capability(("tracing/opentelemetry.py", "tracing/sentry.py")),
    "Shopify": Capability(("platforms/shopify",), "live_platforms.py", SHOPIFY),
    "Vendure": Capability(("platforms/vendure",), "live_platforms.py", VENDURE),
    "its commands": Capability(("cli/platform",), "cli/main.py", {'"platform": "platform.platform", ': ""}),
    "the checkout function": Capability(("platforms/shopify/function",)),
    "the plugin for Vendure": Capability(("platforms/vendure/plugin",)),
}


def take_out(capability: Capability, folder: Path) -> None:
    """Copy the package without the capability into the working directory, where Python finds it first."""
    copied = folder / "bundlesvc"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "*.wasm", "node_modules"))
    for name in capability.files:
        path = copied / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for mounted_in, lines in {capability.mounted_in: capability.lines, **capability.elsewhere}.items():
        for line, without in lines.items():
            module = copied / mounted_in
            source = module.read_text()
            assert source.count(line) == 1
            module.write_text(source.replace(line, without))


@pytest.mark.parametrize("name", CAPABILITIES)
def test_service_runs_without_a_capability(name: str, tmp_path: Path) -> None:
    key = prepare(tmp_path)
    take_out(CAPABILITIES[name], tmp_path)
    with serving(tmp_path) as server:
        assert server.get(f"{BASE}/bundles/{BOX}", key).status == 200
        items = selection("native", (PLAIN_MUG, MUG, 2))
        assert server.post(f"{BASE}/bundles/{BOX}/configure", key, items).status == 200
        assert server.stop() == 0
    assert command(tmp_path, "doctor").stdout.startswith("✓ the database responds")


def test_reports_and_tests_have_what_is_stored_without_orders(tmp_path: Path) -> None:
    """What was configured, and the visitors of each arm."""
    key = prepare(tmp_path)
    take_out(CAPABILITIES["orders"], tmp_path)
    with serving(tmp_path) as server:
        items = selection("native", (PLAIN_MUG, MUG, 2))
        assert server.post(f"{BASE}/bundles/{BOX}/configure", key, items).status == 200
        assert server.stop() == 0

    report = json.loads(command(tmp_path, "reports", "bundles", "--shop", "demo", "--format", "json").stdout)
    [result] = json.loads(command(tmp_path, "experiments", "show", "--shop", "demo", "--format", "json").stdout)

    assert (report["total"]["configured"], report["total"]["ordered"], report["orders"]) == (1, 0, [])
    assert [arm["visitors"] for arm in result["arms"]] == [0, 0]


@pytest.mark.parametrize("name", ["orders", "buying in the demo"])
def test_demo_runs_without_a_capability(name: str, tmp_path: Path) -> None:
    """Its page then has nothing to buy with."""
    prepare(tmp_path)
    take_out(CAPABILITIES[name], tmp_path)
    with serving(tmp_path, settings=DEMO) as server:
        assert server.get("/demo/shop.json").json["canBuy"] is False
        assert server.get("/demo/orders/1").status == 404
        assert server.stop() == 0
