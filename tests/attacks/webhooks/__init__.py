"""Somebody who poses as the platform: forged webhooks, and captured ones that are replayed."""
