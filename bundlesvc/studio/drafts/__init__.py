"""Drafts as shoppers would see them: the use cases of the API over a content that no database holds as a shop."""
