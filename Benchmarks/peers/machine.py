"""The machine and the versions of a benchmark run."""

import os
import platform
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

CLOCK_SOURCE = r"""
#include <stdio.h>
#include <time.h>
int main(void) {
  double best = 1e9;
  for (int round = 0; round < 20; round++) {
    struct timespec a, b;
    unsigned long x = 1;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long i = 0; i < 5000000; i++)
      __asm__ volatile("add $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0" : "+r"(x));
    clock_gettime(CLOCK_MONOTONIC, &b);
    double t = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec);
    if (t < best) best = t;
  }
  printf("%.2f", 40e6 / best / 1e9);
}
"""


def measured_clock():
    """The clock in gigahertz, from dependent additions; None without a C compiler or on other processors than
    x86-64."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None or platform.machine() != "x86_64":
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "clock.c", Path(folder) / "clock"
        source.write_text(CLOCK_SOURCE)
        if subprocess.run([compiler, "-O1", source, "-o", program], capture_output=True).returncode != 0:
            return None
        return float(subprocess.run([program], capture_output=True, text=True).stdout)


def name():
    """The processor's name."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
                platform.processor())


def compiler():
    """The compiler of Gait."""
    done = subprocess.run(["swift", "--version"], capture_output=True, text=True)
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else "an unknown compiler"


def line(core, packages, how, clock=None):
    """The processor, the versions of `packages`, and `how` they were run, as one line."""
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (f"{name()}, core {core} only, {f'{clock:.2f} GHz measured' if clock else 'clock not measured'}, load "
            f"{load}; "
            f"{platform.system()}, Python {platform.python_version()}, {versions}; {how}; Gait in release builds by "
            f"{compiler()}, the plain one for any x86-64 and v3 with `-Xcc -march=x86-64-v3`.")
