"""Webhooks: the subscriptions of the app, and what their messages say."""
