"""What shoppers bought: the record of an order, its proof against the promises, and the value of parts that come back."""
