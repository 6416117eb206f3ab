"""Drafts as shoppers would see them: serves the API's use cases from content that is not stored as a shop in any database."""
