"""Tests of forks and threads."""
import subprocess
import sys
import textwrap

PROGRAM = """
    import os, signal, sys, threading, time
    import gait_motion as gait, numpy as np

    features, path = gait.Features(), gait.sample_files()[0]
    values = gait.read_recording(path, sample_rate=50).values
    expected = features.transform(values, sample_rate=50)
    shared, model = features.stream(50), gait.Model.load("running")
    matrix = model.features().transform(values, sample_rate=50)

    def work():
        while True:
            gait.Features(window=1 + np.random.random()).transform(values, sample_rate=50)
            shared.push(values[:100])
            gait.read_recording(path, sample_rate=50)

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    for number in range(200):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            shared.push(values[:100])
            model.predict(matrix)
            os._exit(0 if np.array_equal(features.transform(values, sample_rate=50), expected) else 1)
        status = os.waitpid(child, 0)[1]
        assert status == 0, f"child {number} ended with {status}; {signal.SIGALRM} is a hang"
    print("200 children ended")
    sys.stdout.flush()
    os._exit(0)
"""


def test_no_child_hangs_that_is_forked_while_threads_compute():
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, timeout=300)
    assert result.stdout == "200 children ended\n", result.stdout + result.stderr
