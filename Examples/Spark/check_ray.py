"""Compares the windows of `ray_features` with those of `gait features`, to the last bit, and its labels with the
model's.

    check_ray.py GAIT     where GAIT is the built `gait` command
"""
import csv, io, pathlib, subprocess, sys

import gait_motion as gait
import numpy as np
import ray
import ray_features

ray.init(num_cpus=2, include_dashboard=False, logging_level="warning")
files = sorted(pathlib.Path("datasets/simulated").glob("*/*.csv"))
missing, features, total = pathlib.Path("missing.csv"), gait.Features(), 0
found = dict(ray_features.windows_of([*files, missing], features, sample_rate=50))
assert "missing.csv" in str(found.pop(missing)) and list(sorted(found)) == files
model = gait.Model.load("running")
for file, labelled in ray_features.windows_of(files[:3], model, sample_rate=50):
    assert list(labelled.targets) == list(model.predict(file, sample_rate=50))
for file in files:
    printed = subprocess.run([sys.argv[1], "features", file, "--rate", "50"], capture_output=True, text=True,
                             check=True)
    rows = list(csv.reader(io.StringIO(printed.stdout)))[1:]
    assert np.array_equal(np.array([row[5:] for row in rows], np.float32), found[file].values), f"{file} differs"
    total += len(rows)
print(f"Ray: {total} windows of {len(files)} files have the bits of gait features.")
