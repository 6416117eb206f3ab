"""The commands for orders: list, show, import, refund-quote."""
