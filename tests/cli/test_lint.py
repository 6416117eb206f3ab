"""`bundlesvc lint`: formats and exit statuses; what it finds is tested with the linter."""

import json
from pathlib import Path

from tests.cli.command_line import Run

ROOT = Path(__file__).parents[2]
EVERY_FINDING = ROOT / "tests" / "fixtures" / "lint" / "every_finding.yaml"
DEMO_SHOP = ROOT / "config" / "demo-shop.yaml"


def test_the_demo_shop_is_clean(run: Run) -> None:
    result = run("lint", DEMO_SHOP)

    assert (result.code, result.out, result.err) == (0, "", "clean\n")


def test_a_finding_is_a_line_with_file_line_and_path(run: Run) -> None:
    result = run("lint", EVERY_FINDING)

    assert result.code == 1
    assert all(line.startswith(f"{EVERY_FINDING}:") for line in result.out.splitlines())
    errors = sum(": error: " in line for line in result.out.splitlines())
    assert result.err == f"{errors} errors, {len(result.out.splitlines()) - errors} warnings\n"


def test_json_is_one_line(run: Run) -> None:
    result = run("lint", EVERY_FINDING, "--format", "json")

    (line,) = result.out.splitlines()
    findings = json.loads(line)
    assert {*findings[0]} == {"file", "line", "severity", "code", "path", "message", "hint"}
    assert result.code == 1
    assert json.loads(run("lint", DEMO_SHOP, "--format", "json").out) == []


def test_github_annotations_are_escaped(run: Run, tmp_path: Path) -> None:
    shop = tmp_path / "a,b:c%.yaml"
    shop.write_text("shop: {handle: demo, nmae: x}\n")
    result = run("lint", shop, "--format", "github")

    (line, *_) = result.out.splitlines()
    assert line.startswith("::error file=")
    assert "a%2Cb%3Ac%25.yaml,line=1,title=invalid::" in line
    assert result.code == 1


def test_warnings_alone_are_no_failure(run: Run, tmp_path: Path) -> None:
    shop = tmp_path / "shop.yaml"
    text = DEMO_SHOP.read_text().replace("        name: Winterbox\n", "")
    shop.write_text(text)
    result = run("lint", shop)

    assert ": warning: bundles.9.translations.de: " in result.out
    assert (result.code, result.err) == (0, "1 warning\n")


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    result = run("lint", tmp_path / "nope.yaml")

    assert result.code == 1
    assert "nope.yaml: error: The file cannot be read" in result.out
