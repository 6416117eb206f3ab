"""Packages that the project needs: the npm packages for tests, the audit of the locked packages, and the Pythons that run the
service."""
