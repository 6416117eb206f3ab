"""`bundlesvc experiments`: the results of A/B tests."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from bundlesvc.api.manage.experiments.rendering import result_body
from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.terminal.output import fail, fail_unknown_shop
from bundlesvc.cli.terminal.rows import FORMAT, Row, print_rows
from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.experiments.results import Result
from bundlesvc.services.experiments.results import ExperimentResults
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.experiments.visitors import SqlExperimentStore


@click.group()
def experiments() -> None:
    """Show the results of A/B tests."""


@experiments.command()
@click.argument("experiment_id", required=False)
@click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop.")
@click.option("--test", is_flag=True, help="The results of test orders and visitors with test keys.")
@FORMAT
def show(experiment_id: str | None, handle: str, form: str, *, test: bool) -> None:
    """Show the results of an A/B test, arm by arm.

    EXPERIMENT_ID is the id in the shop file; without it, every test of the shop is shown. The confidence intervals stay valid
    however often you look, so you may check them every day.
    """

    async def use(database: Database) -> list[Result]:
        tenant = await SqlKeyStore(database).tenant(handle)
        if tenant is None:
            fail_unknown_shop(handle)
        results = ExperimentResults(SqlExperimentStore(database), SqlShopStore(database, RevisionCache()))
        known = await results.ids(tenant)
        try:
            wanted = known if experiment_id is None else [experiment_id]
            return [await results.result(tenant, each, test=test) for each in wanted]
        except NotFound:
            fail(f"the shop has no A/B test {experiment_id}. It has: {', '.join(known) or 'none'}.")

    bodies = [result_body(result) for result in with_database(use)]
    print_rows(form, bodies if experiment_id is None else bodies[0], [row for body in bodies for row in _rows(body)])
    for body in bodies if form == "text" else ():
        if body["message"]:
            click.echo(f"\n{body['id']}: {body['message']}")


def _rows(body: Mapping[str, Any]) -> Sequence[Row]:
    """Return one row per arm. Each arm after the first is shown with its difference from the first."""
    compared = {comparison["arm"]: comparison for comparison in body["comparisons"]}
    return [_row(body, arm, compared.get(arm["arm"], {})) for arm in body["arms"]]


def _row(body: Mapping[str, Any], arm: Row, comparison: Row) -> Row:
    return {
        "experiment": body["id"],
        "arm": arm["arm"],
        "bundle": arm["bundleId"],
        "visitors": arm["visitors"],
        "orders": arm["orders"],
        "revenue": [f"{each['total']} {each['currency']}" for each in arm["revenue"]],
        "per visitor": arm["revenuePerVisitor"],
        **{name: comparison.get(name) for name in ("difference", "lower", "upper", "relative", "verdict")},
    }
