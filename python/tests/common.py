"""What the tests share: recordings, and the command whose output Python's must equal."""
import csv
import io
import os
import pathlib
import subprocess

import numpy as np

DATA = pathlib.Path(__file__).parent.parent / "simulated"
FILES = [DATA / "running" / "sub_1.csv", DATA / "walking" / "sub_2.csv"]


def command(*arguments):
    return subprocess.run([os.environ["GAIT_COMMAND"], *map(str, arguments)], capture_output=True, text=True)


def table_of(path, *arguments):
    """Starts and features as the command prints them; the shortest decimals read back as the same values."""
    result = command("features", path, "--rate", "50", *arguments)
    assert result.returncode == 0, result.stderr
    rows = list(csv.reader(io.StringIO(result.stdout)))
    return rows[0][5:], np.array([float(row[3]) for row in rows[1:]]), np.array([row[5:] for row in rows[1:]],
                                                                                np.float32)


def long_file(path, rows, is_timed):
    """A file of a simulated runner at 50 Hz; times, if any, are uneven."""
    header, *lines = FILES[0].read_text().splitlines()
    # The first column has no name.
    cells = [line.partition(",")[2] for line in lines]
    with path.open("w") as file:
        file.write(("time" if is_timed else "") + "," + header.partition(",")[2] + "\n")
        for row in range(rows):
            time = row / 50 + row * 7919 % 13 / 10_000 if is_timed else row
            file.write(f"{time},{cells[row % len(cells)]}\n")
