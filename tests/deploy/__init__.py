"""Tests of the files that deploy the service to a host: `app.json`, `Procfile`, `config/deploy/`."""
