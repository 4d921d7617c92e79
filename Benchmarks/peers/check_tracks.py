"""Compares what gpxpy and python-tcxparser find in GPX and TCX with the run that Gait wrote there.

The runs are `gait-lab simulate`'s, with GPS whose errors are those of receivers, stops of 12 to 75 s, walks, and two
laps. Fails if a distance differs by more than 0.5 %, a moving time by more than 1 s, or a lap or a pause by more than
0.01 s.
"""

import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from datetime import datetime

import gpxpy
import tcxparser

TCX = "{http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2}"
LARGEST = {"distance": 0.005, "moving time": 1.0, "laps": 0.01, "pauses": 0.01}


def programme(generator):
    """Running with two to five breaks, 8 to 20 minutes."""
    parts = []
    for _ in range(generator.randint(2, 5)):
        parts.append(f"running={generator.randint(90, 240)}")
        kind = "still" if generator.random() < 0.75 or len(parts) == 1 else "walking"
        parts.append(f"{kind}={generator.randint(12, 75)}")
    return ",".join(parts + [f"running={generator.randint(90, 240)}"])


def from_gpx(text):
    """Distance, moving time, ends of laps and pauses by gpxpy, in metres and seconds from the first point."""
    document = gpxpy.parse(text)
    segments = [segment for track in document.tracks for segment in track.segments]
    start = segments[0].points[0].time

    def seconds(time):
        return (time - start).total_seconds()

    pauses = [(seconds(one.points[-1].time), seconds(two.points[0].time)) for one, two in zip(segments, segments[1:])]
    moving = sum((segment.points[-1].time - segment.points[0].time).total_seconds() for segment in segments)
    laps = [seconds(point.time) for point in document.waypoints if point.type == "lap"]
    return {"distance": document.length_2d(), "moving time": moving, "laps": laps, "pauses": pauses}


def from_tcx(path):
    """The same by python-tcxparser, with the laps and tracks by ElementTree."""
    parser = tcxparser.TCXParser(str(path))
    laps = ElementTree.parse(path).getroot().findall(f".//{TCX}Lap")
    tracks = [[datetime.fromisoformat(time.text) for time in track.iter(f"{TCX}Time")]
              for lap in laps for track in lap.findall(f"{TCX}Track")]
    start = tracks[0][0]
    pauses = [((one[-1] - start).total_seconds(), (two[0] - start).total_seconds())
              for one, two in zip(tracks, tracks[1:]) if one[-1] != two[0]]
    ends = [(datetime.fromisoformat(lap.get("StartTime")) - start).total_seconds() for lap in laps[1:]]
    return {"distance": parser.distance, "moving time": parser.duration, "laps": ends, "pauses": pauses}


def expected(run):
    """What the run is, with the pauses that have a stretch of movement on both sides."""
    pauses = [(pause["onset"], pause["end"]) for pause in run["pauses"]]
    return {
        "distance": run["distance"]["meters"], "moving time": run["moving"],
        "laps": [lap["end"] for lap in run["laps"][:-1]],
        "pauses": [pause for pause in pauses if pause[0] > 0 and pause[1] < run["elapsed"]],
    }


def errors(found, truth):
    """The largest error of each figure; infinite if the number of laps or pauses differs."""
    def largest(one, other):
        if len(one) != len(other):
            return float("inf")
        return max((abs(a - b) for a, b in zip(one, other)), default=0)

    def flat(pairs):
        return [time for pair in pairs for time in pair]

    return {
        "distance": abs(found["distance"] / truth["distance"] - 1),
        "moving time": abs(found["moving time"] - truth["moving time"]),
        "laps": largest(found["laps"], truth["laps"]), "pauses": largest(flat(found["pauses"]), flat(truth["pauses"])),
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("gait")
    arguments.add_argument("--runs", type=int, default=200)
    options = arguments.parse_args()
    generator = random.Random(37)
    worst = {reader: dict.fromkeys(LARGEST, 0.0) for reader in ["gpxpy", "tcxparser"]}
    pauses = raw = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(options.runs):
            output = folder / f"{number}"
            subprocess.run(
                [pathlib.Path(options.gait).parent / "gait-lab", "simulate", output, "--subjects", "1", "--seed",
                 str(number), "--rate", "50", "--gps",
                 "--run", programme(generator)], check=True, capture_output=True)
            recording, points = output / "run_1.csv", output / "run_1.gpx"

            def track(form):
                return subprocess.run(
                    [options.gait, "track", recording, "--location", points, "--location-offset", "0", "--lap",
                     "100.25,260",
                     "--body-mass", "70", "--output-format", form], check=True, capture_output=True, text=True).stdout

            run = json.loads(track("json"))
            truth = expected(run)
            path = folder / "run.tcx"
            path.write_text(track("tcx"))
            for reader, found in [("gpxpy", from_gpx(track("gpx"))), ("tcxparser", from_tcx(path))]:
                for figure, error in errors(found, truth).items():
                    worst[reader][figure] = max(worst[reader][figure], error)
                    if error > LARGEST[figure]:
                        print(f"run {number}: {reader} finds {figure} {found[figure]} instead of {truth[figure]}")
            pauses += len(truth["pauses"])
            raw = max(raw, gpxpy.parse(points.read_text()).length_2d() / truth["distance"] - 1)
    print(f"{options.runs} runs, {pauses} pauses, {2 * options.runs} ends of laps; largest errors:")
    for reader, figures in worst.items():
        print(f"{reader:9}  distance {100 * figures['distance']:.2f} %, moving time {figures['moving time']:.3f} s, "
              f"ends of laps {figures['laps']:.3f} s, pauses {figures['pauses']:.3f} s")
    print(f"The receiver's own points are up to {100 * raw:.0f} % longer than the distance.")
    if any(error > LARGEST[figure] for figures in worst.values() for figure, error in figures.items()):
        raise SystemExit("a figure differs by more than 0.5 %, 1 s or 0.01 s")


if __name__ == "__main__":
    main()
