"""Handles the software that the project needs: installs npm packages for tests, audits the locked packages, and tries the Python
versions that run the service."""
