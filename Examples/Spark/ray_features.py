"""Windows of many recordings in Ray, with the bits of the command: one task for each file, which it reads in blocks.

    ray_features.py RATE FILE…     prints the windows of each file; a broken file does not stop the others

Paths travel instead of samples, so that nothing is sorted or sent between machines; every machine of the cluster sees
the files.
"""
import sys

import gait_motion as gait
import ray


@ray.remote
def windows(path, source, reading):
    """The windows of a file by `Features` or a `Model`; the error, if it has one."""
    try:
        return source.windows(path, **reading)
    except gait.GaitError as error:
        return error


def windows_of(paths, source, **reading):
    """The path and the windows, or the error, of each file, in the order in which they are finished."""
    tasks = {windows.remote(str(path), source, reading): path for path in paths}
    while tasks:
        for task in ray.wait(list(tasks))[0]:
            yield tasks.pop(task), ray.get(task)


if __name__ == "__main__":
    for path, found in windows_of(sys.argv[2:], gait.Features(), sample_rate=float(sys.argv[1])):
        print(f"{path}: {found if isinstance(found, gait.GaitError) else f'{len(found)} windows'}")
