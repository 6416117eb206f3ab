"""Tests of the files with which the service is deployed to a host: `app.json`, `Procfile`, `config/deploy/`."""
