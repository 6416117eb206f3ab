"""What every live platform needs to call shops: HTTP, retries, a circuit breaker, a deadline, statistics."""
