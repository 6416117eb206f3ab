"""The software that the project needs: npm packages for tests, an audit of the locked packages, and the Python versions that run
the service."""
