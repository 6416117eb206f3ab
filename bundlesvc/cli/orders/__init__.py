"""Commands about orders: list, show, refund-quote."""
