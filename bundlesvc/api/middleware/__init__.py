"""The layers around every handler, one concern per file. `bundlesvc/app.py` puts them in order."""
