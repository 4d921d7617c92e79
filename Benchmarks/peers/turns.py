"""Everyone in turn, and the table of what came out."""

import sys

import numpy as np


def time_in_turn(runs, repetitions, once=()):
    """Title → what each repetition's run returned, a speed; those in `once` run in the first repetition alone."""
    rates = {title: [] for title in runs}
    for repetition in range(repetitions):
        for title, run in runs.items():
            rates[title].append(rates[title][0] if repetition > 0 and title in once else run())
            print(f"\r{repetition + 1} of {repetitions}: {title}".ljust(60), end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {title: np.array(values) for title, values in rates.items()}


def print_rates(heading, rates, ours, unit, once=()):
    """The table of speeds: medians, spreads, and the median ratios of `ours` to everyone else."""
    print(f"\n### {heading}\n")
    print(f"| | {unit} | spread |" + "".join(f" {title} is faster by |" for title in ours))
    print("|---|---|---|" + "---|" * len(ours))
    for title, values in rates.items():
        middle = np.median(values)
        spread = "one run" if title in once else f"{np.ptp(values) / middle:.0%}"
        ratios = ["" if title in ours else f" {np.median(rates[own] / values):.2f}× |" for own in ours]
        print(f"| {title} | {middle:,.{0 if middle > 100 else 1}f} | {spread} |"
              + "".join(ratio or " |" for ratio in ratios))
