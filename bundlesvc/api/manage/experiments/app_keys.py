"""The application key for the service that provides the results of A/B tests to the management API."""

from aiohttp import web

from bundlesvc.services.experiments.results import ExperimentResults

EXPERIMENT_RESULTS = web.AppKey("experiment_results", ExperimentResults)
