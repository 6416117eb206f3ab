"""Somebody in the place of the platform: forged webhooks, and captured ones sent again."""
