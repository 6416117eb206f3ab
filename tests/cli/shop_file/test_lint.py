"""`bundlesvc lint`: its output and exit status."""

import os
from pathlib import Path

import pytest

from tests.cli.command_line import Run, assert_usage
from tests.shop_file.lint.linted import rules, shop
from tests.shop_file.shop_files import HERE

EVERY_FINDING = HERE / "lint" / "every_finding.yaml"
CLEAN = shop()
WARNED = shop(rules("items gte 0"))
NOTED = shop("discount: {type: fixed, value: 3}", markets="{countryCode: CH, currency: CHF, exchangeRate: 1}")
FAULTY = shop(rules("items gte 5", "items lte 3", "items gte 0"))
BROKEN = "shop: {handle: s}\nbundles: [}"
CONTRADICTION = "'total-number-of-products lte 3' contradicts 'total-number-of-products gte 5' (limitRules.0)."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.yaml"


def line_of(text: str, part: str) -> int:
    return text.count("\n", 0, text.index(part)) + 1


def test_a_clean_file_has_no_findings(run: Run, path: Path, database_path: Path) -> None:
    path.write_text(CLEAN)
    result = run("lint", path)
    assert (result.code, result.out, result.err) == (0, "", "clean\n")
    assert not database_path.exists(), "no database is needed"


def test_warnings_alone_exit_with_0(run: Run, path: Path) -> None:
    path.write_text(WARNED)
    result = run("lint", path)
    assert result.code == 0
    assert result.out == (
        f"{path}:{line_of(WARNED, 'limitRules')}: warning: bundles.0.limitRules.0: "
        "'total-number-of-products gte 0' holds for every selection. (drop the rule)\n"
    )
    assert result.err == "1 warning\n"


def test_errors_exit_with_1(run: Run, path: Path) -> None:
    path.write_text(FAULTY)
    result = run("lint", "--format", "text", path)
    assert result.code == 1
    assert f": error: bundles.0.limitRules.1: {CONTRADICTION} (widen one of the rules or drop it)\n" in result.out
    assert result.err == "1 error, 1 warning\n"


def test_a_folder_stands_for_its_shop_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(WARNED)
    (tmp_path / "a.yml").write_text(WARNED)
    (tmp_path / "README.md").write_text("not a shop file")
    result = run("lint", tmp_path)
    assert [line.split(":")[0] for line in result.out.splitlines()] == [f"{tmp_path}/a.yml", f"{tmp_path}/b.yaml"]


def test_every_finding_has_its_line_and_all_are_counted(run: Run) -> None:
    result = run("lint", EVERY_FINDING)
    lines = result.out.splitlines()
    assert all(line.startswith(f"{EVERY_FINDING}:") for line in lines)
    errors, notes = (sum(f": {severity}: " in line for line in lines) for severity in ("error", "note"))
    assert notes == 1
    assert result.err == f"{errors} errors, {len(lines) - errors - notes} warnings, 1 note\n"


def test_notes_alone_exit_with_0(run: Run, path: Path) -> None:
    path.write_text(NOTED)
    result = run("lint", path)
    assert (result.code, result.err) == (0, "1 note\n")


def test_github_format_has_its_own_word_for_notes(run: Run, path: Path) -> None:
    path.write_text(NOTED)
    result = run("lint", "--format", "github", path)
    assert result.out.startswith("::notice ")


def test_several_files_are_checked(run: Run, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    path.write_text(WARNED)
    other.write_text(FAULTY)
    result = run("lint", path, other)
    assert result.code == 1
    assert [line.partition(".yaml:")[0] for line in result.out.splitlines()] == [
        str(tmp_path / name) for name in ("shop", "other", "other")
    ]
    assert result.err == "1 error, 2 warnings\n"


def test_json_is_one_line(run: Run, path: Path) -> None:
    path.write_text(FAULTY)
    result = run("lint", "--format", "json", path)
    assert (result.code, result.err) == (1, "1 error, 1 warning\n")
    assert result.json[0] == {
        "file": str(path),
        "line": line_of(FAULTY, "limitRules"),
        "severity": "error",
        "code": "rules-contradict",
        "path": "bundles.0.limitRules.1",
        "message": CONTRADICTION,
        "hint": "widen one of the rules or drop it",
    }
    assert [finding["code"] for finding in result.json] == ["rules-contradict", "rule-without-effect"]


def test_json_of_a_clean_file_has_no_findings(run: Run, path: Path) -> None:
    path.write_text(CLEAN)
    result = run("lint", "--format", "json", path)
    assert (result.code, result.json) == (0, [])


def test_github_format_annotates_lines(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a,b:100%.yaml"
    path.write_text(FAULTY)
    result = run("lint", "--format", "github", path)
    assert result.code == 1
    error, warning = result.out.splitlines()
    place = f"file={tmp_path}/a%2Cb%3A100%25.yaml,line={line_of(FAULTY, 'limitRules')}"
    assert error == (
        f"::error {place},title=rules-contradict::bundles.0.limitRules.1: {CONTRADICTION} (widen one of the rules or drop it)"
    )
    assert warning.startswith(f"::warning {place},title=rule-without-effect::bundles.0.limitRules.2: ")


def test_github_format_escapes_messages(run: Run, path: Path) -> None:
    path.write_text('shop: {handle: s, currency: EUR, "50%": 1}')
    result = run("lint", "--format", "github", path)
    assert result.out.startswith(f"::error file={path},line=1,title=invalid::shop.50%25: Unknown key '50%25'.")


def test_a_file_that_does_not_load_is_reported(run: Run, path: Path) -> None:
    path.write_text(BROKEN)
    result = run("lint", path)
    assert result.code == 1
    assert result.out.startswith(f'{path}:2: error: There is a "}}" that nothing opens.')
    assert result.err == "1 error\n"


def test_a_missing_file_is_reported(run: Run, path: Path) -> None:
    result = run("lint", path)
    assert result.code == 1
    assert result.out.startswith(f"{path}: error: The file cannot be read: No such file or directory.")
    assert run("lint", "--format", "github", path).out.startswith(f"::error file={path},title=invalid::The file")
    assert run("lint", "--format", "json", path).json[0]["line"] is None


@pytest.mark.parametrize("format_", ["text", "json", "github"])
def test_a_file_name_that_is_not_utf8_is_printed(run: Run, tmp_path: Path, format_: str) -> None:
    name = tmp_path / os.fsdecode(b"shop\xff.yaml")
    name.write_text(FAULTY)
    result = run("lint", "--format", format_, name)
    assert result.code == 1
    assert "shop\N{REPLACEMENT CHARACTER}.yaml" in result.out


def test_a_file_is_required(run: Run) -> None:
    assert_usage(run("lint"), "FILE")
    assert_usage(run("lint", "--format", "xml", EVERY_FINDING), "'xml'")


def test_help_describes_the_findings(run: Run) -> None:
    assert "lint" in run("--help").out
    assert "docs/lint.md" in run("lint", "--help").out
