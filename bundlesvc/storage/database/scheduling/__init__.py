"""Schedules the database work of many callers: queues requests for connections, lets groups of work share a transaction, and
always runs work to completion."""
