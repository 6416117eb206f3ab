"""`bundlesvc keys`."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.command_line import Result, Run, assert_error

CREATE = ("keys", "create", "--shop", "demo", "--label", "web")
KEY = re.compile(r"bnd_live_[\w-]{43}", re.ASCII)


def create(run: Run, *arguments: str) -> tuple[str, str]:
    """Create a key, and return it and its prefix."""
    made = run(*CREATE, "--json", *arguments).json
    return made["key"], made["prefix"]


def listed(run: Run) -> list[dict[str, object]]:
    found: list[dict[str, object]] = run("keys", "list", "--json").json
    return found


def test_a_key_is_alone_on_standard_output(loaded: Run) -> None:
    result = loaded(*CREATE)
    assert (result.code, result.err) == (0, "This key is shown once. Store it safely:\n")
    assert KEY.fullmatch(result.out.removesuffix("\n"))


def test_json_is_one_line_on_standard_output_and_nothing_else(loaded: Run) -> None:
    result = loaded(*CREATE, "--json")
    assert (result.code, result.err) == (0, "")
    assert list(result.json) == ["key", "prefix", "shop"]
    assert KEY.fullmatch(result.json["key"])
    assert result.json["prefix"] == result.json["key"][:16]
    assert result.json["shop"] == "demo"


def test_json_is_one_line_when_the_database_is_created(run: Run) -> None:
    result = run("keys", "list", "--json")
    assert (result.json, result.err) == ([], "")


def test_every_field_of_a_key_is_listed(loaded: Run) -> None:
    _, prefix = create(loaded)
    (key,) = listed(loaded)
    created = key.pop("created")
    assert key == {
        "prefix": prefix,
        "shop": "demo",
        "label": "web",
        "test": False,
        "demo": False,
        "scopes": ["headless", "embed"],
        "origins": [],
        "rateLimit": 100,
        "visitorLimit": None,
        "active": True,
        "lastUsed": None,
    }
    assert datetime.now(UTC) - datetime.fromisoformat(str(created)) < timedelta(minutes=1)


def test_options_of_create_are_stored(loaded: Run) -> None:
    options = ("--test", "--scope", "embed", "--scope", "embed", "--origin", "https://a.example")
    key, _ = create(loaded, *options, "--origin", "https://b.example", "--rate-limit", "7")
    assert key.startswith("bnd_test_")
    (found,) = listed(loaded)
    assert (found["test"], found["scopes"], found["rateLimit"]) == (True, ["embed"], 7)
    assert found["origins"] == ["https://a.example", "https://b.example"]


def test_keys_are_listed_as_a_table(loaded: Run) -> None:
    key, prefix = create(loaded, "--origin", "https://a-rather-long-name.of-a-shop.example", "--label", "web ä" * 20)
    result = loaded("keys", "list")
    headings, line = result.out.splitlines()
    assert headings.split() == [
        *(
            "prefix",
            "shop",
            "label",
            "test",
            "demo",
            "scopes",
            "origins",
            "rateLimit",
            "visitorLimit",
            "active",
            "created",
            "lastUsed",
        )
    ]
    assert line.startswith(f"{prefix}  demo  web ä")
    assert " https://a-rather-long-name.of-a-shop.example " in line
    assert result.err == ""
    assert key not in result.out


def test_an_empty_list_is_printed_as_none(loaded: Run) -> None:
    assert loaded("keys", "list").out == "none\n"
    assert loaded("keys", "list", "--json").json == []


def test_keys_are_listed_oldest_first(loaded: Run) -> None:
    prefixes = [create(loaded)[1] for _ in range(3)]
    assert [key["prefix"] for key in listed(loaded)] == prefixes


def test_a_key_is_revoked_once(loaded: Run) -> None:
    _, prefix = create(loaded)
    create(loaded)
    result = loaded("keys", "revoke", prefix)
    assert (result.code, result.out, result.err) == (0, "", f"{prefix}: revoked.\n")
    assert [key["active"] for key in listed(loaded)] == [False, True]
    assert_error(loaded("keys", "revoke", prefix), prefix, "keys list")


def test_origins_are_set_and_cleared(loaded: Run) -> None:
    _, prefix = create(loaded)
    result = loaded("keys", "origins", prefix, "--origin", "https://a.example", "--origin", "https://b.example")
    assert (result.code, result.out) == (0, "")
    assert result.err == f"{prefix}: https://a.example, https://b.example.\n"
    assert listed(loaded)[0]["origins"] == ["https://a.example", "https://b.example"]
    assert loaded("keys", "origins", prefix).err == f"{prefix}: all origins.\n"
    assert listed(loaded)[0]["origins"] == []


def test_a_disabled_shop_may_have_keys(loaded: Run) -> None:
    loaded("shops", "disable", "demo")
    create(loaded)
    assert len(listed(loaded)) == 1


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_an_unknown_shop_is_reported(arguments: tuple[str, ...], loaded: Run) -> None:
    result = loaded("keys", "create", "--shop", "nope", "--label", "web", *arguments)
    assert_error(result, "there is no shop nope", "shops list")
    assert listed(loaded) == []


@pytest.mark.parametrize("command", [("revoke",), ("origins",), ("limit", "--rate-limit", "7")])
def test_an_unknown_prefix_is_reported(command: tuple[str, ...], loaded: Run) -> None:
    assert_error(loaded("keys", *command, "bnd_live_unknown"), "bnd_live_unknown", "keys list")


def limits(run: Run) -> tuple[object, object]:
    (key,) = listed(run)
    return key["rateLimit"], key["visitorLimit"]


def test_page_sets_scope_origins_and_limits(loaded: Run) -> None:
    result = loaded(*CREATE, "--page", "https://a.example", "--page", "https://*.a.example/")
    assert (result.code, result.err) == (0, "This key is shown once. Store it safely:\n")
    (found,) = listed(loaded)
    assert (found["scopes"], found["origins"]) == (["embed"], ["https://a.example", "https://*.a.example"])
    assert limits(loaded) == (6000, 100)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--page", "https://a.example", "--rate-limit", "500"), (500, 100)),
        (("--page", "https://a.example", "--visitor-limit", "20"), (6000, 20)),
        (("--page", "https://a.example", "--visitor-limit", "none"), (6000, None)),
        (("--visitor-limit", "20"), (100, 20)),
        (("--visitor-limit", "none"), (100, None)),
    ],
)
def test_limits_are_set_independently(options: tuple[str, ...], expected: tuple[int, int | None], loaded: Run) -> None:
    create(loaded, *options)
    assert limits(loaded) == expected


@pytest.mark.parametrize(("option", "value"), [("--scope", "headless"), ("--origin", "https://b.example")])
def test_page_excludes_scope_and_origin(option: str, value: str, loaded: Run) -> None:
    result = loaded(*CREATE, "--page", "https://a.example", option, value)
    assert result.code == 2
    assert "leave out --scope and --origin" in result.err
    assert listed(loaded) == []


@pytest.mark.parametrize("value", ["0", "-1", "many", "", "None", "2147483648", "1.5"])
def test_an_invalid_limit_is_refused(value: str, loaded: Run) -> None:
    for option in ("--rate-limit", "--visitor-limit"):
        result = loaded(*CREATE, option, value)
        assert result.code == 2
        assert option in result.err
    assert listed(loaded) == []


PAGE = ("--origin", "https://a.example")


@pytest.mark.parametrize(
    "options", [PAGE, (*PAGE, "--scope", "embed"), ("--page", "https://a.example", "--visitor-limit", "none")]
)
def test_a_page_key_without_a_visitor_limit_is_created_with_a_warning(options: tuple[str, ...], loaded: Run) -> None:
    result = loaded(*CREATE, *options, "--json")
    assert result.code == 0
    assert "one visitor can use up its" in result.err
    assert f"keys limit {result.json['prefix']}" in result.err
    assert len(listed(loaded)) == 1


@pytest.mark.parametrize(
    "options", [(), ("--scope", "embed"), (*PAGE, "--scope", "headless"), (*PAGE, "--visitor-limit", "9")]
)
def test_other_keys_are_created_without_a_warning(options: tuple[str, ...], loaded: Run) -> None:
    assert loaded(*CREATE, *options, "--json").err == ""


def test_limits_of_a_key_are_changed(loaded: Run) -> None:
    _, prefix = create(loaded)
    result = loaded("keys", "limit", prefix, "--rate-limit", "6000", "--visitor-limit", "50")
    assert (result.code, result.out) == (0, "")
    assert result.err == f"{prefix}: 6000 requests a minute in all, 50 for each visitor.\n"
    assert limits(loaded) == (6000, 50)
    assert loaded("keys", "limit", prefix, "--rate-limit", "70").err == f"{prefix}: 70 requests a minute in all.\n"
    assert limits(loaded) == (70, 50)
    result = loaded("keys", "limit", prefix, "--visitor-limit", "none")
    assert result.err == f"{prefix}: no limit for each visitor.\n"
    assert limits(loaded) == (70, None)


def test_limit_requires_an_option(loaded: Run) -> None:
    _, prefix = create(loaded)
    result = loaded("keys", "limit", prefix)
    assert result.code == 2
    assert "--rate-limit, --visitor-limit, or both" in result.err


@pytest.mark.parametrize("origin", ["https://A.example", "https://a.example:443", "https://a.example/x", "null", "*"])
def test_an_origin_that_never_matches_is_refused(origin: str, loaded: Run) -> None:
    _, prefix = create(loaded)
    commands = [
        (*CREATE, "--origin", origin),
        (*CREATE, "--page", origin),
        ("keys", "origins", prefix, "--origin", origin),
    ]
    for command in commands:
        result = loaded(*command)
        assert result.code == 2
        assert "never matches" in result.err
    assert [key["origins"] for key in listed(loaded)] == [[]]


@pytest.mark.parametrize("prefix", ["", "bnd_live_", "%", "bnd_live_%"])
def test_part_of_a_prefix_revokes_nothing(prefix: str, loaded: Run) -> None:
    create(loaded)
    assert_error(loaded("keys", "revoke", prefix))
    assert listed(loaded)[0]["active"]


def _assert_refused(result: Result) -> None:
    assert result.code in (1, 2)
    assert "Traceback" not in result.err, result.err


@pytest.mark.parametrize("label", ["\udcff", "a\udcffb"])
def test_arguments_that_are_not_utf8_are_refused(label: str, loaded: Run) -> None:
    """Arguments that are not UTF-8 are refused, because their bytes arrive as lone surrogates, which no database accepts."""
    _assert_refused(loaded("keys", "create", "--shop", "demo", "--label", label))
    _assert_refused(loaded("keys", "create", "--shop", label, "--label", "web"))
    _assert_refused(loaded("keys", "revoke", label))
    assert listed(loaded) == []
