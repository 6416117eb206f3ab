"""Tests of storage on PostgreSQL."""
