"""Mounts the endpoint for the results of A/B tests."""

from bundlesvc.api import app_keys
from bundlesvc.api.manage.experiments.routes import add_experiments
from bundlesvc.lifecycle import repeating
from bundlesvc.mounting.service import Service
from bundlesvc.services.experiments.exposures import ExposureLog
from bundlesvc.services.experiments.results import ExperimentResults
from bundlesvc.serving.background import REFRESH_SECONDS
from bundlesvc.storage.experiments.visitors import SqlExperimentStore


def mount_experiments(service: Service) -> None:
    app, adapters = service.app, service.adapters
    store = SqlExperimentStore(adapters.database)
    log = ExposureLog(store, adapters.clock)
    add_experiments(app, service.manage, ExperimentResults(store, adapters.shops), log)
    app[app_keys.BACKGROUND].append(
        repeating("storing who saw an arm of an A/B test", REFRESH_SECONDS, log.write, at_the_end=log.write_last)
    )
