"""The service runs without any one of its optional capabilities, once the capability's files and the line that mounts it are
deleted."""

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
APP = "app.py"
SHOPIFY = {"from bundlesvc.platforms.shopify.engine import shopify\n": "", "(shopify, vendure)": "(vendure,)"}
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

ORDERS = ("domain/orders", "ports/orders.py", "services/orders", "storage/orders", "api/manage/orders", "cli/orders")
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


def mounted(module: str, *functions: str) -> dict[str, str]:
    """Return the lines of `app.py` that import these functions from a module and mount the capability with them. Each line is
    mapped to an empty replacement."""
    imports = f"from bundlesvc.mounting.{module} import {', '.join(functions)}\n"
    return {imports: "", **{f"    {function},\n": "" for function in functions}}


AGENTS = {**mounted("agents", "mount_agents"), **mounted("completion_tool", "mount_completion_tool")}
STUDIO_COMPLETION = mounted("studio_completion", "mount_studio_completion")
FOLLOWING = ("studio/following", "cli/preview.py")
PREVIEW = {'        "preview": "preview",\n': ""}
PREVIEW_LINKS = mounted("preview_links", "mount_preview_links")
COMPLETION = {
    **mounted("completion", "mount_completion"),
    **mounted("completion_tool", "mount_completion_tool"),
    **STUDIO_COMPLETION,
}
BUYING = {", mount_demo_buying\n": "\n", "    mount_demo_buying,\n": ""}
BUNDLE_PAGES = {"mount_demo_bundle_pages, mount": "mount", "    mount_demo_bundle_pages,\n": ""}
ORDER_EVENTS = mounted("order_events", "mount_order_events")
EVENTS = (
    "domain/events",
    "ports/events.py",
    "services/events",
    "storage/events",
    "event_delivery",
    "cli/events",
)


@dataclass(frozen=True)
class Capability:
    """A capability that can be removed: `files` lists its folders and modules, `mounted_in` names the module that mounts it, and
    `lines` maps the lines to replace in that module to their replacements. `elsewhere` does the same for lines in other
    modules."""

    files: tuple[str, ...]
    mounted_in: str = ""
    lines: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


CAPABILITIES = {
    "completion": Capability(
        ("domain/completion", "services/completion", "api/completion", "mounting/completion.py"), APP, COMPLETION
    ),
    "the first paint": Capability(
        ("api/first_paint", "storefront/html", "mounting/first_paint.py"),
        APP,
        {**mounted("first_paint", "mount_first_paint"), **BUNDLE_PAGES},
    ),
    "the demo": Capability(
        ("demo", "mounting/demo.py"), APP, mounted("demo", "mount_demo", "mount_demo_bundle_pages", "mount_demo_buying")
    ),
    "the tools for assistants": Capability(
        ("api/agents", "services/agents", "domain/agents", "mounting/agents.py"), APP, AGENTS
    ),
    "the preview of a shop file": Capability(FOLLOWING, "cli/main.py", PREVIEW),
    "orders": Capability(
        (*ORDERS, "demo/buying", "mounting/orders.py"),
        APP,
        {**mounted("orders", "mount_orders"), **ORDER_EVENTS, **BUYING},
        {"cli/doctor/doctor.py": {'("orders.diagnosis",)': "()"}},
    ),
    "outgoing webhooks": Capability(
        (*EVENTS, "mounting/events.py", "mounting/order_events.py"),
        APP,
        {**mounted("events", "mount_events"), **ORDER_EVENTS},
        {"cli/secrets.py": {'("events.sealed_secrets",)': "()"}},
    ),
    "buying in the demo": Capability(("demo/buying",), APP, BUYING),
    "the results of A/B tests": Capability(
        (*EXPERIMENTS, "mounting/experiments.py"), APP, mounted("experiments", "mount_experiments")
    ),
    "reports": Capability((*REPORTS, "mounting/reports.py"), APP, mounted("reports", "mount_reports")),
    "revisions": Capability(
        (*REVISIONS, *FOLLOWING, "mounting/revisions.py", "studio/sharing", "mounting/preview_links.py"),
        APP,
        {**mounted("revisions", "mount_revisions"), **PREVIEW_LINKS},
        {"cli/main.py": PREVIEW},
    ),
    "preview links": Capability(("studio/sharing", "mounting/preview_links.py"), APP, PREVIEW_LINKS),
    "the studio": Capability(
        ("studio", "cli/preview.py", "mounting/studio.py", "mounting/preview_links.py"),
        APP,
        {**mounted("studio", "mount_studio"), **STUDIO_COMPLETION, **PREVIEW_LINKS},
        {"cli/main.py": PREVIEW},
    ),
    "the fast path": Capability(
        ("mounting/fast_path.py",),
        APP,
        {"from bundlesvc.mounting.fast_path import mount_fast_path\n": "", "    mount_fast_path(service)\n": ""},
    ),
    "tracing": Capability(("tracing/opentelemetry.py", "tracing/sentry.py")),
    "Shopify": Capability(("platforms/shopify",), "live_platforms.py", SHOPIFY),
    "Vendure": Capability(("platforms/vendure",), "live_platforms.py", VENDURE),
    "its commands": Capability(("cli/platform",), "cli/main.py", {'"platform": "platform.platform", ': ""}),
    "the checkout function": Capability(("platforms/shopify/app/function",)),
    "the plugin for Vendure": Capability(("platforms/vendure/plugin",)),
}


def take_out(capability: Capability, folder: Path) -> None:
    """Copy the package without the capability into the working directory, where Python finds the copy before the installed
    package."""
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
    """Reports and experiments show the data that is stored even without the orders capability: configured bundles, and the
    visitors of each arm."""
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
    """The demo runs without a capability that buying needs. The demo's page then offers no way to buy."""
    prepare(tmp_path)
    take_out(CAPABILITIES[name], tmp_path)
    with serving(tmp_path, settings=DEMO) as server:
        assert server.get("/demo/shop.json").json["canBuy"] is False
        assert server.get("/demo/orders/1").status == 404
        assert server.stop() == 0
