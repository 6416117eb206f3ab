"""Diagnosis: checks everything the service needs, and reports each result, with a remedy for each fault."""
