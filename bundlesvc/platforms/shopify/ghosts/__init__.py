"""Ghost variants on the platform: created, found, priced, removed."""
