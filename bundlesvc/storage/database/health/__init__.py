"""Health and measurements of the database: failures, commits, and the lag of replicas."""
