"""Attacks by somebody who poses as the platform: forged webhooks, and captured webhooks that are replayed."""
