"""Installs npm packages for tests, audits the locked packages, and tries the Python versions on which the service runs."""
