"""Fails if the cost of a pipeline stage differs from its record. Independent of the clock, so it runs on any machine.

    python3 gate.py PATH/TO/RunWorkload PATH/TO/gait            compares with costs.json; exit code 1 if a cost changed
    python3 gate.py PATH/TO/RunWorkload PATH/TO/gait --record   updates costs.json

A cost is the number of instructions and of allocations of one run of a workload, or of a whole process of the command,
as callgrind counts them.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from callgrind import cost_of_a_run, profile

RECORD = Path(__file__).with_name("costs.json")
# Where the documentation states a workload's instructions: the file, the workload, the text around the number in
# millions, and how many times that number they are.
MEASURED = "Sources/GaitTraining/GaitTraining.docc/MeasuredResults.md"
STATED = [("Sources/Gait/Gait.docc/Battery.md", name, rf"\(`{name}`\) \| (\d+) million", 1)
          for name in ("classifyLive/50Hz", "track/10min", "trackWithGPS/10min", "restore/10min")] + [
    ("README.md", "classifyLive/50Hz", r"([\d.]+) million instructions for labels of a minute", 10),
    (MEASURED, "classifyLive/50Hz", r"takes ([\d.]+) million instructions to the labels", 10),
    (MEASURED, "track/10min", r"model, and ([\d.]+)\s+million to pauses", 10)]
# How far the instructions may rise above their record, and fall below it before they must be recorded again.
LARGEST_RISE, LARGEST_FALL = 0.05, 0.05
# How far the allocations may rise.
TOLERANCE = 0.05
# The cost of a function is recorded and reported if it has at least this share of its workload.
NOTABLE = 0.01
RUN = Path(__file__).parents[2] / "datasets/simulated-runs/run_1.csv"
# Whole processes of the command: its start alone, and a run of 8 minutes tracked from a file.
COMMANDS = {"command/version": ["--version"], "command/track": ["track", "running", str(RUN)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("command")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    workloads = output_of([options.program, "--list"]).split()
    # One process for each core; counts do not depend on what runs beside it.
    cores = list(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    with concurrent.futures.ThreadPoolExecutor(
            max(1, len(cores)), initializer=lambda: cores and os.sched_setaffinity(0, {cores.pop()})) as pool:
        counts = {name: pool.submit(cost_of_a_run, options.program, name) for name in workloads}
        counts |= {name: pool.submit(profile, options.command, *arguments) for name, arguments in COMMANDS.items()}
        measured = {name: cost(*count.result()) for name, count in counts.items()}
    compiler = output_of(["swift", "--version"]).splitlines()[0]
    if options.record:
        record = {"compiler": compiler, "tolerance": LARGEST_RISE, "workloads": measured}
        RECORD.write_text(json.dumps(record, indent=1) + "\n")
        print(f"wrote {RECORD.name}: {len(measured)} workloads")
        return
    recorded = json.loads(RECORD.read_text())
    if recorded["compiler"] != compiler:
        print(f"costs not compared: recorded with {recorded['compiler']}, but this is {compiler}")
        return
    failures = [line for workload, new in measured.items()
                for line in compare(workload, recorded["workloads"].get(workload), new)]
    failures += [line for stated in STATED for line in compare_stated(measured, *stated)]
    known = [name for name in measured if name in recorded["workloads"]]
    old, new = (sum(costs[name]["instructions"] for name in known) for costs in (recorded["workloads"], measured))
    print(f"all workloads: {new / old:.3f}× their record, {new:,} instructions")
    print("\n".join(failures))
    if failures:
        print("\nIf the change is intended, run `make record-costs` and explain it in the commit.")
        sys.exit(1)


def cost(functions, allocations):
    """A cost as it is recorded."""
    total = sum(functions.values())
    notable = {name: cost for name, cost in functions.items() if cost >= NOTABLE * total}
    names = demangled(sorted(notable, key=notable.get, reverse=True))
    by_name = {}
    for name, readable in names.items():
        by_name[readable] = by_name.get(readable, 0) + round(notable[name])
    return {"instructions": round(total), "allocations": round(allocations), "functions": by_name}


def compare(workload, old, new):
    if old is None:
        return [f"{workload} has no recorded cost"]
    lines = []
    change = new["instructions"] / old["instructions"] - 1
    print(f"{workload}: {1 + change:.3f}× its record, {new['instructions']:,} instructions, {new['allocations']:,} "
          f"allocations ({new['allocations'] - old['allocations']:+,})")
    if not -LARGEST_FALL <= change <= LARGEST_RISE:
        lines.append(f"\n{workload}: {new['instructions']:,} instructions per run, {change:+.1%} "
                     f"(recorded: {old['instructions']:,}, at most {LARGEST_RISE:+.0%}). Largest changes:")
        lines += growth(old["functions"], new["functions"])
    if new["allocations"] > old["allocations"] * (1 + TOLERANCE) + 1:
        lines.append(f"\n{workload}: {new['allocations']:,} allocations per run (recorded: {old['allocations']:,})")
    return lines


def compare_stated(measured, file, workload, text, factor):
    """A failure if the documentation's number of instructions is not that of a workload, or is not found."""
    found = re.findall(text, (Path(__file__).parents[2] / file).read_text())
    if len(found) != 1:
        return [f"\n{file} states the instructions of {workload} {len(found)} times in the words of gate.py, not once"]
    millions = measured[workload]["instructions"] / 1e6 / factor
    if -LARGEST_FALL <= millions / float(found[0]) - 1 <= LARGEST_RISE:
        return []
    return [f"\n{file} states {found[0]} million instructions for {workload}: write {millions:.3g} million"]


def growth(old, new):
    changes = {name: new.get(name, 0) - old.get(name, 0) for name in old | new}
    largest = sorted(changes, key=lambda name: abs(changes[name]), reverse=True)[:5]
    return [f"  {changes[name]:+,} in {name} (recorded: {old.get(name, 0):,})" for name in largest if changes[name]]


def demangled(names):
    if not names:
        return {}
    done = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input="\n".join(names),
                          capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def output_of(arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
