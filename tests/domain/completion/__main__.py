"""Compares completions of random shops with brute force: python -m tests.domain.completion [shops] [first]."""

import sys
from collections import Counter

from tests.domain.completion.brute_force import difference


def main() -> None:
    arguments = [int(text) for text in sys.argv[1:]]
    shops, first = (*arguments, *(5000, 0)[len(arguments) :])
    outcomes: Counter[str] = Counter()
    for seed in range(first, first + shops):
        wrong = difference(seed)
        outcomes["different" if wrong else "equal"] += 1
        if wrong:
            sys.stdout.write(f"{wrong}\n")
    sys.stdout.write(f"{dict(outcomes)}\n")
    sys.exit(bool(outcomes["different"]))


main()
