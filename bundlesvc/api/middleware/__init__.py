"""The middleware around every handler, one concern per file. `bundlesvc/app.py` puts the layers in order."""
