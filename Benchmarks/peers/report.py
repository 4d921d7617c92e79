"""The report of the benchmarks: one table for each result, and the README's summary table."""

import sys
import time
from datetime import date

import numpy as np

import machine


class Report:
    def __init__(self, options):
        self.options, self.lines, self.rows, self.note, self.start = options, [], [], "", time.monotonic()
        self.clock = machine.measured_clock()

    def begin(self, part):
        print(f"[{time.monotonic() - self.start:4.0f} s] {part}", file=sys.stderr, flush=True)

    def add(self, text=""):
        print(text, flush=True)
        self.lines.append(text)

    def head(self, title, packages, how):
        self.add(f"\n## {title}\n")
        self.add(machine.line(self.options.core, packages, how, self.clock))

    def rates(self, heading, rates, unit, once=(), summary=None, bounds=(), is_time=False):
        """A table of speeds (or times): medians, spreads, and how many times faster each Gait build is than the peers.

        `summary` is the name of the work in the README; its row names the fastest peer that is not in `bounds`."""
        ours = [title for title in self.options.executables if title in rates]
        self.add(f"\n### {heading}\n")
        self.add(f"| | {unit} | spread |" + "".join(f" {title} is faster by |" for title in ours))
        self.add("|---|---|---|" + "---|" * len(ours))
        for title, values in rates.items():
            spread = "one run" if title in once or len(values) == 1 else f"{np.ptp(values) / np.median(values):.0%}"
            cells = ["" if title in ours else ratio(rates[own], values, is_time) for own in ours]
            self.add(f"| {title} | {number(np.median(values))} | {spread} |" + "".join(f" {cell} |" for cell in cells))
        peers = {title: values for title, values in rates.items() if title not in ours and title not in bounds}
        if summary and ours and peers:
            order = sorted(peers, key=lambda title: np.median(peers[title]), reverse=not is_time)
            self.row(summary, unit, rates, ours, order[0], is_time)

    def row(self, work, unit, rates, ours, best, is_time=False):
        own = [number(np.median(rates[title])) for title in ours] + [""] * (2 - len(ours))
        ratios = [ratio(rates[title], rates[best], is_time) for title in ours] + [""] * (2 - len(ours))
        self.rows.append(
            f"| {work} | {own[0]} {unit} | {number(np.median(rates[best]))} {unit} ({best}) | {ratios[0]} | "
                         f"{ratios[1]} |")

    @property
    def machine_line(self):
        how = "make bench" if not self.options.quick else "BENCH_QUICK=1 make bench"
        clock = f", {self.clock:.2f} GHz measured" if self.clock else ""
        return f"{date.today().isoformat()}, `{how}`: {machine.name()}, one core{clock}, {machine.compiler()}."

    @property
    def summary(self):
        """The README's table, with the machine and the method."""
        return "\n".join([
            f"\n{self.machine_line} Medians; in brackets the lowest and highest ratio of the run.\n",
            "| work | Gait | the fastest alternative | Gait is faster by | built for x86-64-v3 |",
            "|---|---|---|---|---|",
            *self.rows]) + (f"\n\n{self.note}" if self.note else "")

    def write(self, path):
        path.write_text("# Benchmarks\n" + self.summary + "\n" + "\n".join(self.lines) + "\n", encoding="utf-8")


def number(value):
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def ratio(ours, theirs, is_time=False):
    """How many times faster Gait is: the median over the repetitions, with the lowest and the highest."""
    values = np.array(theirs) / np.array(ours) if is_time else np.array(ours) / np.array(theirs)
    around = f" ({values.min():.2f}–{values.max():.2f})" if len(values) > 1 else ""
    return f"{np.median(values):.2f}×{around}"
