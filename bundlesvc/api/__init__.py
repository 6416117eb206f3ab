"""The REST APIs, served with aiohttp."""
