"""Attacks by a stranger with network access: on memory and processor time, with rotated or forged addresses, and by observing
what responses reveal."""
