"""The REST APIs over aiohttp."""
