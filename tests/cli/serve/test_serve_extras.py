"""`serve` exits when the settings need packages that are not installed."""

import sys

import pytest

from tests.cli.command_line import Run
from tests.settings.test_environment import FIRST


@pytest.mark.parametrize(
    ("variable", "value", "package", "named", "extra"),
    [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://otel:4318", "opentelemetry", "OTEL_EXPORTER_OTLP_ENDPOINT", "otel"),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://otel:4318",
            "opentelemetry.exporter",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "otel",
        ),
        ("BUNDLESVC_SENTRY_DSN", "https://key@sentry.example/1", "sentry_sdk", "SENTRY_DSN", "sentry"),
    ],
)
def test_missing_extra_ends_the_start(
    variable: str, value: str, package: str, named: str, extra: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When an extra is missing, `serve` exits before anything is opened or created."""
    for name in [name for name in sys.modules if name.startswith(package)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", FIRST)
    monkeypatch.setenv(variable, value)
    result = run("serve", "--port", "0")
    missing = f"{named} is set, but the package that it needs is not installed. Install it, or unset {named}:"
    expected = f'bundlesvc: {missing}\npip install "bundlesvc[{extra}]"\n'
    assert (result.code, result.out, result.err) == (1, "", expected)
