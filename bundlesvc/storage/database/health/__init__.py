"""The health of the database and its measurements: failures, commits, and the lag of replicas."""
