"""Settings for commands that read or write encrypted data."""

from bundlesvc.cli.environment.demo_secrets import demo_settings
from bundlesvc.cli.terminal.output import fail
from bundlesvc.settings.environment import Settings


def settings_with_secrets() -> Settings:
    """Read the settings from the environment, in demo mode with the demo's keys. Ends the command if there are no secret keys."""
    settings = Settings.from_environment()
    settings = demo_settings(settings) if settings.demo else settings
    if not settings.secret_keys:
        fail("BUNDLESVC_SECRET_KEYS is not set. Set the keys of the service: they encrypt the stored credentials.")
    return settings
