"""The example of Hydrogen, compiled against the types of Hydrogen, of its React library and of React Router."""

import shutil
from pathlib import Path

import pytest

from tests.npm import require_packages
from tests.release.project import Project, new_project
from tests.release.source import ROOT

pytestmark = pytest.mark.process

EXAMPLE = ROOT / "docs" / "examples" / "hydrogen"
ROUTE, HOOK = Path("app", "routes", "bundles.$id.tsx"), Path("app", "components", "use-add-bundle.ts")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    packages = require_packages(Path(__file__).parent / "hydrogen")
    project = new_project(tmp_path_factory.mktemp("hydrogen"), packages)
    shutil.copytree(EXAMPLE, project.folder, dirs_exist_ok=True)
    return project


def _compiled(project: Project) -> str:
    return project.run(project.module("typescript/bin/tsc"), "-p", ".").stdout


def test_route_and_hook_match_their_types(project: Project) -> None:
    assert _compiled(project) == ""


def test_wrong_lines_do_not_compile(project: Project) -> None:
    """The compiler compares the adapter's output with both inputs."""
    for path, right, wrong in (
        (ROUTE, "addLines(lines)", "addLines([attributes])"),
        (HOOK, "linesAdd(lines)", "linesAdd([bundles])"),
    ):
        text = (EXAMPLE / path).read_text("utf-8")
        assert right in text
        (project.folder / path).write_text(text.replace(right, wrong))
    errors = _compiled(project)
    assert errors.count("error TS") == 2
    assert all(path.name in errors for path in (ROUTE, HOOK))
