"""PostgreSQL URLs: accounts, sockets, TLS, and options that only other clients support."""

import shutil
import ssl
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.address import check_postgresql
from tests.servers.postgres_server import PostgresServer, postgres_server
from tests.storage.database.postgresql.certificates import Authority
from tests.storage.database.postgresql.transactions import opened, scalar
from tests.storage.database.postgresql.wire import Wire, wire_to

PASSWORD = "p@ss:w/rd#?% \u00fc+"


async def query(url: str, statement: str) -> object:
    check_postgresql(url)
    async with opened(url) as database:
        return await database.read(scalar(statement))


async def refusal(url: str) -> str:
    """Return all messages that could reach a log when the connection fails."""
    with pytest.raises(StorageUnavailable) as refused:
        await query(url, "SELECT 1")
    messages: list[str] = []
    error: BaseException | None = refused.value
    while error is not None:
        messages.append(f"{error!r} {error}")
        error = error.__cause__ or error.__context__
    return "\n".join(messages)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
async def test_both_url_schemes_connect(scheme: str, postgres: PostgresServer) -> None:
    assert await query(postgres.url().replace("postgresql", scheme), "SELECT 1") == 1


async def test_a_unix_socket_connects(postgres: PostgresServer) -> None:
    assert await query(postgres.socket_url(), "SELECT inet_server_addr()") is None
    nameless = (
        f"postgresql:///postgres?{urlencode({'host': postgres.folder, 'port': postgres.port, 'user': 'postgres'})}"
    )
    assert await query(nameless, "SELECT current_user::text") == "postgres"


async def test_the_first_of_several_hosts_that_responds_is_used(postgres: PostgresServer, unused_tcp_port: int) -> None:
    url = f"postgresql://postgres@127.0.0.1:{unused_tcp_port},127.0.0.1:{postgres.port}/postgres"
    assert await query(url, "SELECT 1") == 1


async def test_the_application_name_is_sent(postgres: PostgresServer) -> None:
    statement = "SELECT current_setting('application_name')"
    assert await query(postgres.url(), statement) == "bundlesvc"
    assert await query(f"{postgres.url()}?application_name=shop+7", statement) == "shop 7"


async def test_server_options_are_sent(postgres: PostgresServer) -> None:
    url = f"{postgres.url()}?{urlencode({'options': '-c work_mem=5MB', 'statement_timeout': '4321'})}"
    assert await query(url, "SELECT current_setting('work_mem')") == "5MB"
    assert await query(url, "SELECT current_setting('statement_timeout')") == "4321ms"


async def test_options_of_other_clients_are_ignored(postgres: PostgresServer) -> None:
    others = "channel_binding=require&connect_timeout=10&keepalives=1&pgbouncer=true&gssencmode=disable&sslsni=1"
    assert await query(f"{postgres.url()}?{others}&sslmode=prefer", "SELECT 1") == 1


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"), "authority")


@pytest.fixture(scope="module")
def tls(authority: Authority) -> ssl.SSLContext:
    """A TLS context with a certificate for a server at 127.0.0.1."""
    own = authority.sign("server", "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own.certificate, own.key)
    return context


@pytest.fixture
async def secure(postgres: PostgresServer, tls: ssl.SSLContext) -> AsyncIterator[Wire]:
    """A proxy in front of the PostgreSQL server that makes the server appear to use TLS."""
    async with wire_to(postgres.port, tls) as wire:
        yield wire


def by(wire: Wire, host: str = "127.0.0.1", **options: object) -> str:
    return f"postgresql://postgres@{host}:{wire.port}/postgres?{urlencode(options)}"


@pytest.mark.parametrize(("mode", "encrypted"), [("disable", False), ("prefer", True), ("require", True)])
async def test_tls_modes_without_verification_connect(mode: str, encrypted: bool, secure: Wire) -> None:
    assert await query(by(secure, sslmode=mode), "SELECT 1") == 1
    assert secure.encrypted is encrypted


async def test_tls_is_used_when_the_server_offers_it(secure: Wire) -> None:
    assert await query(by(secure), "SELECT 1") == 1
    assert secure.encrypted is True


@pytest.mark.parametrize("mode", ["require", "verify-ca", "verify-full"])
async def test_a_trusted_certificate_connects(mode: str, secure: Wire, authority: Authority) -> None:
    assert await query(by(secure, sslmode=mode, sslrootcert=authority.certificate), "SELECT 1") == 1
    assert secure.encrypted is True


async def test_only_verify_full_checks_the_name_of_a_certificate(secure: Wire, authority: Authority) -> None:
    def by_name(mode: str) -> str:
        return by(secure, "localhost", sslmode=mode, sslrootcert=authority.certificate)

    assert await query(by_name("verify-ca"), "SELECT 1") == 1
    assert "mismatch" in await refusal(by_name("verify-full"))


@pytest.mark.parametrize("mode", ["verify-ca", "verify-full"])
async def test_a_certificate_of_another_authority_is_refused(mode: str, secure: Wire, tmp_path: Path) -> None:
    other = Authority(tmp_path, "other")
    assert "CERTIFICATE_VERIFY_FAILED" in await refusal(by(secure, sslmode=mode, sslrootcert=other.certificate))


async def test_a_server_without_tls_is_refused_when_tls_is_required(wire: Wire) -> None:
    assert "SSL" in await refusal(by(wire, sslmode="require"))


async def test_a_client_certificate_is_sent(
    postgres: PostgresServer, tls: ssl.SSLContext, authority: Authority
) -> None:
    own = authority.sign("shop")
    tls.load_verify_locations(authority.certificate)
    tls.verify_mode = ssl.CERT_REQUIRED
    async with wire_to(postgres.port, tls) as strict:
        url = by(strict, sslmode="require", sslcert=own.certificate, sslkey=own.key)
        assert await query(url, "SELECT 1") == 1
        await refusal(by(strict, sslmode="require"))
    tls.verify_mode = ssl.CERT_NONE


@pytest.fixture(scope="module")
def careful() -> Iterator[PostgresServer]:
    """A server that requires a password."""
    with postgres_server("host all careful 127.0.0.1/32 scram-sha-256") as server:
        server.sql(f"CREATE ROLE careful LOGIN PASSWORD '{PASSWORD}'")
        yield server


@pytest.mark.process
async def test_a_percent_encoded_password_connects(careful: PostgresServer) -> None:
    """A connection with a percent-encoded password succeeds, even if the password contains every character that has a special
    meaning in a URL."""
    url = careful.url(account=f"careful:{quote(PASSWORD, safe='')}")
    assert await query(url, "SELECT current_user::text") == "careful"


@pytest.mark.process
@pytest.mark.parametrize("options", ["", "?sslmode=perhaps", "?sslmode=verify-full", "?nonsense=1"])
async def test_a_password_is_in_no_error(options: str, careful: PostgresServer) -> None:
    url = careful.url(account="careful:hunter2") + options
    assert "hunter2" not in await refusal(url)
    async with opened(url) as database:
        assert "hunter2" not in f"{database!r} {vars(database)!r} {database._reading.url!r} {database._writing.url!r}"


def test_missing_files_are_named(tmp_path: Path) -> None:
    there = tmp_path / "there.crt"
    shutil.copy(__file__, there)
    check_postgresql(f"postgres://h/x?{urlencode({'sslrootcert': there})}")
    with pytest.raises(ValueError, match="sslkey names no file"):
        check_postgresql(f"postgres://h/x?{urlencode({'sslrootcert': there, 'sslkey': tmp_path / 'gone'})}")
