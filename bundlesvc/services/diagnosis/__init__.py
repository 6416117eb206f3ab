"""Diagnosis: checks the parts that the service needs, and reports each result, with a remedy where something is wrong."""
