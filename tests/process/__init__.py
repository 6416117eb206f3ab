"""The service as its operators run it: in processes of its own, on a real port, over a real file."""
