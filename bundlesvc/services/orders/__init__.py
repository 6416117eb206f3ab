"""What is done with orders: they come in and are judged, listed, and refunds quoted."""
