"""The health of the database, and what is measured of it: failures, commits, the lag of replicas."""
