"""The audit of locked packages: the output of the auditors is read and summarised."""

import json

import pytest

from tests.packages.audit import Audit, read_npm_audit, read_pip_audit, summary

VULNERABLE = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [
        {"id": "PYSEC-2014-8", "fix_versions": ["2.7.2"]},
        {"id": "PYSEC-2021-66", "fix_versions": []},
    ],
}
SKIPPED = {"name": "idna", "skip_reason": "Dependency not found on PyPI and could not be audited: idna (3.10)"}
SAFE = {"name": "yarl", "version": "1.20.0", "vulns": []}


def test_each_vulnerability_of_a_python_package_is_named() -> None:
    audit = read_pip_audit(json.dumps({"dependencies": [VULNERABLE, SAFE], "fixes": []}), "")
    assert summary("requirements.lock", audit).splitlines() == [
        "requirements.lock: 2 packages audited, 2 known vulnerabilities",
        "  jinja2 2.4.1: PYSEC-2014-8, fixed in 2.7.2",
        "  jinja2 2.4.1: PYSEC-2021-66, fixed in no version yet",
    ]


def test_skipped_packages_are_reported() -> None:
    audit = read_pip_audit(json.dumps({"dependencies": [SKIPPED, SAFE, SKIPPED]}), "")
    assert summary("requirements.lock", audit).splitlines() == [
        f"requirements.lock: NOT AUDITED: 2 of 3 packages; {SKIPPED['skip_reason']}",
        "requirements.lock: 1 packages audited, 0 known vulnerabilities",
    ]


def test_each_vulnerable_npm_package_is_named() -> None:
    document = {
        "vulnerabilities": {"vite": {"range": "<8.0.1", "severity": "high"}},
        "metadata": {"dependencies": {"total": 70}},
    }
    audit = read_npm_audit(json.dumps(document), "")
    assert audit == Audit(70, ["vite <8.0.1: high"])


@pytest.mark.parametrize(
    ("output", "errors", "reason"),
    [
        ('{"message": "405 Method Not Allowed", "error": {"summary": ""}}', "", "405 Method Not Allowed"),
        (
            '{"error": {"summary": ""}}',
            "npm error audit endpoint returned an error",
            "npm error audit endpoint returned an error",
        ),
        ("", "ERROR:pip_audit:no route\nERROR:pip_audit:timed out\n", "ERROR:pip_audit:timed out"),
        ("not JSON", "", "no output"),
        ("[]", "", "no output"),
    ],
)
def test_unreachable_database_is_reported(output: str, errors: str, reason: str) -> None:
    assert read_npm_audit(output, errors) == Audit(missing=[reason])
    assert summary("x.lock", Audit(missing=[reason])) == f"x.lock: NOT AUDITED: {reason}"


def test_pip_audit_without_a_document_is_reported() -> None:
    assert read_pip_audit("", "ERROR: no route to host\n") == Audit(missing=["ERROR: no route to host"])
