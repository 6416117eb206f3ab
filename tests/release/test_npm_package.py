"""The npm package in a developer's project: its use in Node and TypeScript, and the manifest that editors read."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import bundlesvc
from tests.release.npm_package import STOREFRONT
from tests.release.project import Project, new_project
from tests.release.source import ROOT, copy_source
from tests.storefront.node import require_node
from tests.storefront.test_typescript import EACH_RESOLUTION, STRICTEST, USAGE

pytestmark = pytest.mark.process

HERE = Path(__file__).parent
CLIENT = "../../../bundlesvc/storefront/client/client.js"
PAGE = """\
import "@bundlesvc/storefront/component";
import type { BundleBuilder } from "@bundlesvc/storefront/component";

const builder: BundleBuilder = document.createElement("bundle-builder");
addEventListener("bundle:addtocart", ({ detail }) => detail.result.configured_bundle_id.toFixed());
// @ts-expect-error: `bundle` is read-only
builder.bundle = null;
"""
REACT_PAGE = """\
import { createClient } from "@bundlesvc/storefront";
import { toAjaxCart, toStorefrontCart } from "@bundlesvc/storefront/cart";
import { BundleBuilder, useBundle, useSelection, type BundleBuilderElement } from "@bundlesvc/storefront/react";
import { useRef } from "react";

const client = createClient({ baseUrl: "", apiKey: "" });

export function Page({ maybe }: { maybe: boolean }) {
  const builder = useRef<BundleBuilderElement>(null);
  const { bundle, error } = useBundle(client, { productHandle: "box", countryCode: "CH" });
  const { configure, count, evaluation, faults, subscribe, update } = useSelection(client, bundle, { countryCode: "CH" });
  const buy = async () => {
    const configured = await configure();
    if (configured) toAjaxCart(null, configured).add.items.map(({ id }) => id.toFixed());
    // @ts-expect-error: it may have failed
    toStorefrontCart(null, await configure());
  };
  subscribe({ id: 7, frequency: 1, unit: "month" });
  return (
    <>
      <p onClick={buy}>{error?.message ?? evaluation?.pricing?.discountedPrice ?? faults[0]?.code}</p>
      <p>{update?.price?.now.amount}</p>
      <BundleBuilder ref={builder} bundleId={1} apiKey="" className="wide" onError={({ detail }) => detail.error.message} />
      <bundle-builder bundle-id={1} api-key="" onbundle:addtocart={({ detail }) => toStorefrontCart(null, detail)} />
      <BundleBuilder productHandle="box" apiKey="" country="CH" />
      <BundleBuilder configured="7#1#ab" apiKey="" />
      <BundleBuilder bundleId={maybe ? 1 : undefined} productHandle="box" apiKey="" />
      {/* @ts-expect-error: a bundle is needed */}
      <BundleBuilder apiKey="" />
      {/* @ts-expect-error: an id that may be missing is not enough */}
      <BundleBuilder bundleId={maybe ? 1 : undefined} apiKey="" />
      {/* @ts-expect-error: a key is needed */}
      <BundleBuilder bundleId={1} />
      {/* @ts-expect-error: there is no such attribute */}
      <bundle-builder bundle="1" />
      {/* @ts-expect-error: a choice has a section */}
      {count({ variant: "1", product: "1" })}
    </>
  );
}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return new_project(tmp_path_factory.mktemp("npm"))


@pytest.fixture(scope="module")
def manifest(project: Project) -> dict[str, Any]:
    """The description of the `bundle-builder` element in the package's custom-elements manifest."""
    (module,) = json.loads((project.package / "custom-elements.json").read_text("utf-8"))["modules"]
    (element,) = module["declarations"]
    assert (module["path"], element["tagName"], element["customElement"]) == (
        "bundle-builder.js",
        "bundle-builder",
        True,
    )
    return dict(element)


def _names(entries: list[dict[str, Any]]) -> set[str]:
    return {entry["name"] for entry in entries}


def _evaluated(project: Project, code: str) -> Any:
    done = project.run("--input-type=module", "--eval", code)
    assert done.returncode == 0, done.stdout
    return json.loads(done.stdout)


def _addresses(exports: Any) -> list[str]:
    return [exports] if isinstance(exports, str) else [path for value in exports.values() for path in _addresses(value)]


def test_package_has_the_version_of_the_service() -> None:
    assert json.loads((ROOT / STOREFRONT / "package.json").read_text())["version"] == bundlesvc.__version__


def test_every_module_is_in_the_package(project: Project) -> None:
    """The package contains every module, and also the files to which package.json refers."""
    about = json.loads((project.package / "package.json").read_text())
    listed = subprocess.run(["git", "ls-files", str(STOREFRONT)], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = [Path(name).relative_to(STOREFRONT) for name in listed.stdout.splitlines()]
    modules = [path for path in tracked if path.parts[0] not in {"demo", "texts", "prepack.mjs"}]
    named = [*modules, "LICENSE", *_addresses(about["exports"]), about["unpkg"], about["customElements"]]
    assert [str(path) for path in named if not (project.package / path).is_file()] == []
    assert not (project.package / "demo").exists()


def _npm_pack(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["npm", "pack"], cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def test_source_folder_cannot_be_packed(tmp_path: Path) -> None:
    """The source folder cannot be packed, because it lacks the files that a release generates."""
    require_node()
    source = copy_source(tmp_path, uncommitted=True).folder / STOREFRONT
    done = _npm_pack(source)

    assert done.returncode == 1
    assert "Missing here: dist/bundle-builder.min.js, custom-elements.json, LICENSE." in done.stderr
    assert "Run scripts/release in the root of the repository." in done.stderr
    assert not list(source.glob("*.tgz"))


def test_node_imports_the_client_and_the_component(project: Project) -> None:
    """Node can import the client and the component. In Node, which has no DOM, the component defines no element."""
    code = """
      const names = ["@bundlesvc/storefront", "@bundlesvc/storefront/component", "@bundlesvc/storefront/bundle-builder.min.js"];
      const [client, ...components] = await Promise.all(names.map((name) => import(name)));
      const exported = components.map((module) => Object.keys(module));
      console.log(JSON.stringify([typeof client.createClient, exported, typeof globalThis.HTMLElement]));"""
    assert _evaluated(project, code) == ["function", [["BundleBuilder"], ["BundleBuilder"]], "undefined"]


def test_server_renders_react(project: Project) -> None:
    """The React hooks and the component work in server-side rendering, for every selection in the test vectors."""
    project.write({"server.test.mjs": (HERE / "react-server.mjs").read_text("utf-8")})
    cases = (ROOT / "tests" / "storefront" / "selection-cases.mjs").as_uri()
    done = project.run("--test", "server.test.mjs", environment={"SELECTION_CASES": cases})
    assert done.returncode == 0, done.stdout


def test_one_file_build_has_a_source_map(project: Project) -> None:
    build = project.package / "dist" / "bundle-builder.min.js"
    text, sources = build.read_text("utf-8"), json.loads(build.with_suffix(".js.map").read_text("utf-8"))["sources"]
    assert text.startswith(f"/*! @bundlesvc/storefront {bundlesvc.__version__} | MIT */")
    assert text.rstrip().endswith("//# sourceMappingURL=bundle-builder.min.js.map")
    assert {"../bundle-builder.js", "../client/pricing.js", "../component/session.js"} <= set(sources)
    assert not re.search(r'\bimport[ ({"*]', text)


@EACH_RESOLUTION
def test_strict_project_compiles(project: Project, modules: dict[str, str]) -> None:
    usage = USAGE.read_text("utf-8").replace(CLIENT, "@bundlesvc/storefront")
    files = {"usage.mts": usage, "page.mts": PAGE, "page.tsx": REACT_PAGE}
    config = {"compilerOptions": STRICTEST | modules | {"jsx": "react-jsx"}, "files": list(files)}
    project.write({**files, "tsconfig.json": json.dumps(config)})

    assert project.run(project.module("typescript/bin/tsc")).stdout == ""


def test_manifest_has_all_attributes_and_events(project: Project, manifest: dict[str, Any]) -> None:
    code = """
      const { BundleBuilder } = await import("@bundlesvc/storefront/component");
      console.log(JSON.stringify(BundleBuilder.observedAttributes));"""
    source = (ROOT / STOREFRONT / "bundle-builder.js").read_text("utf-8")

    assert _names(manifest["attributes"]) == set(_evaluated(project, code))
    assert _names(manifest["events"]) == set(re.findall(r'"(bundle:\w+)"', source + _component_source()))
    assert all(entry["description"] for entry in [*manifest["attributes"], *manifest["events"]])


def test_react_component_has_a_prop_for_every_attribute_and_event(manifest: dict[str, Any]) -> None:
    """The React component has a prop for every attribute and event except `lang`, which all React elements have."""
    source = (ROOT / STOREFRONT / "react" / "bundle-builder.js").read_text("utf-8")
    types = (ROOT / STOREFRONT / "react" / "react.d.ts").read_text("utf-8")
    names = _names(manifest["attributes"]) - {"lang"}
    assert set(re.findall(r'^  \w+: "([a-z-]+)",$', source, re.MULTILINE)) == names
    assert set(re.findall(r'^  \w+: "(bundle:\w+)",$', source, re.MULTILINE)) == _names(manifest["events"])
    written = re.search(r"interface BundleBuilderAttributes.*?\n}", types, re.DOTALL)
    assert written
    assert set(re.findall(r'^  "?(?:on)?([\w:-]+)"?\?:', written[0], re.MULTILINE)) - {"children", "key", "ref"} == (
        names | _names(manifest["events"])
    )


def test_manifest_has_the_members_of_the_types(manifest: dict[str, Any]) -> None:
    members = {member["name"]: member for member in manifest["members"]}
    assert {"bundle", "selection", "reload", "reset"} <= members.keys()
    assert all(member["description"] for member in members.values())
    assert members["bundle"] == members["bundle"] | {
        "kind": "field",
        "type": {"text": "EmbedBundle | null"},
        "readonly": True,
    }
    assert members["reset"]["kind"] == "method"


def test_manifest_has_all_custom_properties_and_parts(manifest: dict[str, Any]) -> None:
    source = _component_source()
    classes = {name for tag in re.findall(r'"\w+((?:\.[\w-]+)+)"', source) for name in tag[1:].split(".")}
    classes |= {name for names in re.findall(r'part: .*"([\w ]+)" : ', source) for name in names.split()}
    slots = re.findall(
        r'h\("slot", \{ name: "(\w+)"', source + (ROOT / STOREFRONT / "bundle-builder.js").read_text("utf-8")
    )

    assert _names(manifest["slots"]) == set(slots)
    assert _names(manifest["cssProperties"]) == set(re.findall(r"var\((--bundle-[\w-]+)", source))
    assert _names(manifest["cssParts"]) - classes == set()
    assert len(manifest["cssParts"]) > 40


def _component_source() -> str:
    return "".join(path.read_text("utf-8") for path in sorted((ROOT / STOREFRONT / "component").rglob("*.js")))
