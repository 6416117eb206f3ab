"""The application key of the service for results of A/B tests in the management API."""

from aiohttp import web

from bundlesvc.services.experiments.results import ExperimentResults

EXPERIMENT_RESULTS = web.AppKey("experiment_results", ExperimentResults)
