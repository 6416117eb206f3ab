"""Drafts as shoppers would see them: runs the API's use cases on content that is not stored as a shop in any database."""
