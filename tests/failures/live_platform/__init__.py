"""The live platform fails in every way and in every state of the cache; and how few calls it receives."""
