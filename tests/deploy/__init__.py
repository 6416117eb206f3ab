"""Tests of the files that put the service on a host: `app.json`, `Procfile`, `config/deploy/`."""
