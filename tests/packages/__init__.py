"""Packages that the project needs: the npm packages for tests, the audit of the locked packages, and the Python versions that run
the service."""
