"""Alternating runs."""

import sys

import numpy as np


def time_in_turn(runs, repetitions, once=()):
    """Title → the result of each repetition, a speed or a time; those in `once` run in the first repetition only."""
    values = {title: [] for title in runs}
    for repetition in range(repetitions):
        for title, run in runs.items():
            values[title].append(values[title][0] if repetition > 0 and title in once else run())
            print(f"\r{repetition + 1} of {repetitions}: {title}".ljust(60), end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {title: np.array(found) for title, found in values.items()}
