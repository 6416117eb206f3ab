"""The live platform fails, in every way and in every state of the cache, and how gently it is called."""
