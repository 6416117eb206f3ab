"""Packages that the project needs: those of npm for tests, the audit of the locked ones, and the Pythons that run it."""
