"""Compare completions of random shops with brute force: python -m tests.domain.completion [shops] [first]."""

import sys

from tests.domain.completion.brute_force import compared
from tests.domain.completion.coverage import Coverage
from tests.domain.completion.random_tasks import random_task


def main() -> None:
    arguments = [int(text) for text in sys.argv[1:]]
    shops, first = (*arguments, *(5000, 0)[len(arguments) :])
    coverage, different = Coverage(), 0
    for seed in range(first, first + shops):
        task = random_task(seed)
        wrong, is_possible = compared(task)
        coverage.add(task, is_possible=is_possible)
        if wrong:
            different += 1
            sys.stdout.write(f"shop {seed}: {wrong}\n")
    for line in coverage.table():
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{shops - different} of {shops} shops equal brute force\n")
    sys.exit(bool(different))


main()
