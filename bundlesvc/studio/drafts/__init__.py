"""Shows drafts as shoppers would see them, by running the API's use cases on content that is not stored as a shop in any
database."""
