"""The files of the web component and its client: how they are linked and served."""
