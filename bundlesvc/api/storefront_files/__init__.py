"""The files of the web component and its client, linked and served."""
