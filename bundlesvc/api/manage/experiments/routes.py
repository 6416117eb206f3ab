"""The route table for results of A/B tests in the management API."""

from aiohttp import web

from bundlesvc.api.app_keys import CALLER, COLLECTORS
from bundlesvc.api.endpoint import Endpoint, Parameter
from bundlesvc.api.exposures import LISTENERS
from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.manage.experiments.app_keys import EXPERIMENT_RESULTS
from bundlesvc.api.manage.experiments.rendering import result_body
from bundlesvc.api.manage.experiments.responses import ExperimentResultSchema
from bundlesvc.api.manage.experiments.statistics import ExposureStatistics
from bundlesvc.api.manage.part import Part
from bundlesvc.api.manage.responses import json_response
from bundlesvc.api.requests.parsing import QueryReader
from bundlesvc.domain.access.key import REPORTS
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.services.experiments.exposures import ExposureLog
from bundlesvc.services.experiments.results import ExperimentResults

TAG = "experiments"


async def read_results(request: web.Request) -> web.Response:
    query = QueryReader(request)
    test = query.take("test", {"true": True, "false": False}.get, "Must be true or false.") or False
    if query.faults:
        raise InvalidRequest(query.faults)
    results, tenant = request.app[EXPERIMENT_RESULTS], request[CALLER].tenant
    return json_response(result_body(await results.result(tenant, request.match_info["id"], test=test)))


PART = Part(
    TAG,
    "How much the visitors of each arm spent. Estimates are numbers; sums are strings with all decimal places of their currency.",
    {
        REPORTS: (
            Endpoint(
                "GET",
                "/experiments/{id}/results",
                read_results,
                name="readExperimentResults",
                summary="Read the result of an A/B test",
                description="Visitors, orders and revenue per visitor of each arm, and how each arm differs from the first, with "
                "a confidence interval that may be read every day. The result is withheld when visitors of an arm are missing.",
                response=ExperimentResultSchema(),
                parameters=(
                    Parameter("id", "path", "The id of the A/B test in the shop file.", "summer"),
                    Parameter(
                        "test",
                        "query",
                        "Whether to return the result for test orders and visitors with test keys.",
                        "false",
                        {"type": "string", "enum": ["true", "false"]},
                    ),
                ),
                errors=("not_found", "invalid_request"),
                tag=TAG,
                stored_by_caches=False,
            ),
        )
    },
)


def add_experiments(app: web.Application, api: ManagementApi, results: ExperimentResults, log: ExposureLog) -> None:
    """Serve the results of A/B tests in the management API, and log the visitors who see an arm."""
    app[EXPERIMENT_RESULTS] = results
    app[LISTENERS].append(log.note)
    app[COLLECTORS].append(ExposureStatistics(log))
    api.mount(PART)
