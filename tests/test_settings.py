"""Every setting, read from the environment, and every fault at once in sentences (design 16)."""

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from cryptography.fernet import Fernet

from bundlesvc.settings import Settings, SettingsInvalid

FIRST, SECOND = Fernet.generate_key().decode(), Fernet.generate_key().decode()

READ: list[tuple[str, str, str, object]] = [
    # (variable, value, field, what is made of it)
    ("BUNDLESVC_HOST", "0.0.0.0", "host", "0.0.0.0"),
    ("PORT", "9000", "port", 9000),
    ("PORT", "0", "port", 0),
    ("PORT", "65535", "port", 65535),
    ("DATABASE_URL", "sqlite:///var/x.db", "database", "var/x.db"),
    ("DATABASE_URL", "sqlite:////data/x y.db", "database", "/data/x y.db"),
    ("BUNDLESVC_SECRET_KEYS", FIRST, "secret_keys", (FIRST,)),
    ("BUNDLESVC_SECRET_KEYS", f" {FIRST} , {SECOND},", "secret_keys", (FIRST, SECOND)),
    ("BUNDLESVC_SECRET_KEYS", "", "secret_keys", ()),
    ("BUNDLESVC_BASE_PATH", "/v1", "base_path", "/v1"),
    ("BUNDLESVC_BASE_PATH", "/a-b/c.d/e_f/g~h/1", "base_path", "/a-b/c.d/e_f/g~h/1"),
    ("BUNDLESVC_LOG_FORMAT", "console", "log_format", "console"),
    ("BUNDLESVC_LOG_LEVEL", "warning", "log_level", "WARNING"),
    ("BUNDLESVC_TRUSTED_PROXIES", "2", "trusted_proxies", 2),
    ("BUNDLESVC_PRICE_MAX_AGE", "1.5", "price_max_age", 1.5),
    ("BUNDLESVC_DEMO", "1", "demo", True),
    ("BUNDLESVC_DEMO", "true", "demo", True),
    ("BUNDLESVC_DEMO", "0", "demo", False),
    ("WEB_CONCURRENCY", "4", "workers", 4),
    ("REDIS_URL", "redis://localhost", "redis_url", "redis://localhost"),
    ("DYNO", "web.1", "disk_does_not_last", True),
]

FERNET = "Must be Fernet keys (32 bytes in URL-safe base64), comma separated."
SQLITE = "Must be sqlite:///relative/path or sqlite:////absolute/path."
POSTGRES = "PostgreSQL is not supported yet: use sqlite:///relative/path or sqlite:////absolute/path."
BASE_PATH = "Must begin with / and not end with it."
LEVEL = "Must be DEBUG, INFO, WARNING or ERROR."

WRONG: list[tuple[str, str, str]] = [
    # (variable, value, the sentence)
    ("PORT", "http", "Not a valid integer."),
    ("PORT", "", "Not a valid integer."),
    ("PORT", "80.5", "Not a valid integer."),
    ("PORT", "-1", "Must be greater than or equal to 0 and less than or equal to 65535."),
    ("PORT", "65536", "Must be greater than or equal to 0 and less than or equal to 65535."),
    ("DATABASE_URL", "", SQLITE),
    ("DATABASE_URL", "var/x.db", SQLITE),
    ("DATABASE_URL", "sqlite://", SQLITE),
    ("DATABASE_URL", "sqlite:///", SQLITE),
    ("DATABASE_URL", "sqlite:///x.db?mode=ro", SQLITE),
    ("DATABASE_URL", "mysql://user:hunter2@host/x", SQLITE),
    ("DATABASE_URL", "postgres://user:hunter2@host/x", POSTGRES),
    ("DATABASE_URL", "postgresql://user:hunter2@host/x", POSTGRES),
    ("BUNDLESVC_SECRET_KEYS", "hunter2", FERNET),
    ("BUNDLESVC_SECRET_KEYS", f"{FIRST},hunter2", FERNET),
    ("BUNDLESVC_SECRET_KEYS", FIRST[:-2], FERNET),
    ("BUNDLESVC_BASE_PATH", "", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "api", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api/", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api//v1", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/api\n", BASE_PATH),
    ("BUNDLESVC_BASE_PATH", "/{id}", BASE_PATH),
    ("BUNDLESVC_LOG_FORMAT", "xml", "Must be one of: json, console."),
    ("BUNDLESVC_LOG_LEVEL", "loud", LEVEL),
    ("BUNDLESVC_TRUSTED_PROXIES", "-1", "Must be greater than or equal to 0."),
    ("BUNDLESVC_TRUSTED_PROXIES", "all", "Not a valid integer."),
    ("BUNDLESVC_PRICE_MAX_AGE", "-1", "Must be greater than or equal to 0."),
    ("BUNDLESVC_PRICE_MAX_AGE", "long", "Not a valid number."),
    ("BUNDLESVC_PRICE_MAX_AGE", "nan", "Special numeric values (nan or infinity) are not permitted."),
    ("BUNDLESVC_PRICE_MAX_AGE", "inf", "Special numeric values (nan or infinity) are not permitted."),
    ("BUNDLESVC_DEMO", "perhaps", "Not a valid boolean."),
    ("WEB_CONCURRENCY", "0", "Must be greater than or equal to 1."),
    ("WEB_CONCURRENCY", "auto", "Not a valid integer."),
]

VARIABLES = sorted({variable for variable, *_ in READ})


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without any setting."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


def faults() -> dict[str, str]:
    """The sentences by their variables."""
    with pytest.raises(SettingsInvalid) as refused:
        Settings.from_environment()
    return dict(line.split(": ", 1) for line in str(refused.value).splitlines())


def test_defaults() -> None:
    settings = Settings.from_environment()
    assert settings == Settings()
    assert settings == Settings(
        host="127.0.0.1",
        port=8080,
        database="./var/bundlesvc.db",
        secret_keys=(),
        base_path="/api/headless/v1",
        log_format="json",
        log_level="INFO",
        trusted_proxies=0,
        price_max_age=300.0,
        demo=False,
        workers=1,
        redis_url=None,
        disk_does_not_last=False,
    )


@pytest.mark.parametrize(("variable", "value", "name", "expected"), READ)
def test_each_setting(variable: str, value: str, name: str, expected: object, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, value)
    found: dict[str, Any] = vars(Settings.from_environment())
    assert found == {**vars(Settings()), name: expected}
    assert type(found[name]) is type(expected)


def test_no_setting_is_left_out() -> None:
    assert {name for _, _, name, _ in READ} == {field.name for field in fields(Settings)}
    assert {variable for variable, *_ in WRONG} == set(VARIABLES) - {"BUNDLESVC_HOST", "REDIS_URL", "DYNO"}


@pytest.mark.parametrize(("variable", "value", "sentence"), WRONG)
def test_each_fault(variable: str, value: str, sentence: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, value)
    assert faults() == {variable: sentence}


def test_a_database_in_memory_is_refused(environment: pytest.MonkeyPatch) -> None:
    """Every connection would have one of its own."""
    environment.setenv("DATABASE_URL", "sqlite:///:memory:")
    assert list(faults()) == ["DATABASE_URL"]


def test_all_faults_at_once(environment: pytest.MonkeyPatch) -> None:
    first_of_each: dict[str, tuple[str, str]] = {}
    for variable, value, sentence in WRONG:
        first_of_each.setdefault(variable, (value, sentence))
    for variable, (value, _) in first_of_each.items():
        environment.setenv(variable, value)
    assert faults() == {variable: sentence for variable, (_, sentence) in first_of_each.items()}


@pytest.mark.parametrize(
    ("variable", "value"), [(variable, value) for variable, value, _ in WRONG if "hunter2" in value]
)
def test_secrets_are_not_repeated(variable: str, value: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, value)
    assert "hunter2" not in faults()[variable]


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]
