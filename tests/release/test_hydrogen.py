"""The Hydrogen example, compiled and bundled with Hydrogen's packages."""

import os
import shutil
from pathlib import Path

import pytest

from tests.packages.npm import require_packages
from tests.release.project import Project, new_project
from tests.release.source import ROOT, run

pytestmark = pytest.mark.process

EXAMPLE = ROOT / "docs" / "examples" / "hydrogen"
HERE = Path(__file__).parent
CONFIGURED = ROOT / "tests" / "storefront" / "configured-bundles.mjs"
ROUTE, HOOK = Path("app", "routes", "bundles.$id.tsx"), Path("app", "components", "use-add-bundle.ts")
BUNDLE_OPTIONS = ["--bundle", "--splitting", "--format=esm", "--jsx=automatic", "--outdir=build", "--log-level=error"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    packages = require_packages(HERE / "hydrogen")
    project = new_project(tmp_path_factory.mktemp("hydrogen"), packages)
    shutil.copytree(EXAMPLE, project.folder, dirs_exist_ok=True)
    return project


def _compiled(project: Project, folder: str = ".") -> str:
    return project.run(project.module("typescript/bin/tsc"), "-p", folder).stdout


def test_route_and_hook_match_their_types(project: Project) -> None:
    assert _compiled(project) == ""


def test_built_route_fills_the_cart(project: Project) -> None:
    """The route and the hook are bundled with all of their imports. The component is in a separate file, for the browser only."""
    esbuild = str(require_packages() / "esbuild" / "bin" / "esbuild")
    run([esbuild, str(ROUTE), str(HOOK), *BUNDLE_OPTIONS], project.folder, os.environ)
    project.write({"route.test.mjs": (HERE / "hydrogen-route.mjs").read_text("utf-8")})

    done = project.run("--test", "route.test.mjs", environment={"CONFIGURED_BUNDLES": CONFIGURED.as_uri()})
    assert done.returncode == 0, done.stdout
    assert len(list((project.folder / "build").glob("bundle-builder-*.js"))) == 1


def test_wrong_lines_do_not_compile(project: Project) -> None:
    """Lines of the wrong type do not compile, because the example's calls are checked against the input types of the functions
    that the route and the hook use."""
    shutil.copytree(EXAMPLE, project.folder / "wrong")
    for path, right, wrong in (
        (ROUTE, "addLines(lines)", "addLines([attributes])"),
        (HOOK, "linesAdd(lines)", "linesAdd([bundles])"),
    ):
        text = (EXAMPLE / path).read_text("utf-8")
        assert right in text
        (project.folder / "wrong" / path).write_text(text.replace(right, wrong))
    errors = _compiled(project, "wrong")
    assert errors.count("error TS") == 2
    assert all(path.name in errors for path in (ROUTE, HOOK))
