"""Measure the processor time of completions in large random shops: python -m tests.domain.completion.speed [shops] [products]
[rules]."""

import sys
import time

from bundlesvc.domain.completion.search import MOST_WORK, Search
from tests.domain.completion.large_tasks import large_task


def main() -> None:
    given = [int(text) for text in sys.argv[1:]]
    shops, products, rules = (*given, *(100, 200, 6)[len(given) :])
    times, proven, without = [], 0, 0
    for seed in range(shops):
        task = large_task(seed, products, rules)
        started = time.process_time()
        search = Search(task, MOST_WORK)
        for _ in search.run():
            pass
        times.append((time.process_time() - started) * 1000)
        proven += search.result.proven
        without += not search.result.found and not search.result.proven
    times.sort()
    percentiles = ", ".join(f"p{each} {times[(len(times) - 1) * each // 100]:.1f} ms" for each in (50, 90, 99, 100))
    sys.stdout.write(f"{shops} shops: {percentiles}; {proven} proven, {without} open without a solution\n")


main()
