"""The layers around every handler, one concern a file; their order and its reasons stand in `order.py`."""
