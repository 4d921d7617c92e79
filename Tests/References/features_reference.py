# Made with Python 3.11.7, numpy==2.4.6, scipy==1.17.1. Run: python3 features_reference.py (see README.md).
"""Reference values of Gait's features, computed independently with NumPy and SciPy.

The Swift extractor computes in Float, lane-parallel, with its own FFT. This script computes the same quantities in
float64 with library calls and plain formulas, from samples that are first rounded to Float32, so both sides start
from the same bits. It was written from the definitions alone, independently of the Swift code.

It writes features_reference.json beside itself: a list of {name, sampleRate, samples, features}. `samples` contains 12
columns (the order of CHANNELS) of N numbers, each the shortest decimal of a Float32; `features` maps a feature's text
to its value, always the same 97 names. A case is a separate stream of exactly one window.

Lags and crossing counts are discontinuous. Seeds were chosen so that no sample is on an edge, and `demand_sturdy` stops
the script if one is. Every value is also checked against a slower, more literal computation.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy import signal

AXES = "xyz"
CHANNELS = ["attitude.roll", "attitude.pitch", "attitude.yaw"] + [
    f"{sensor}.{axis}" for sensor in ("gravity", "rotationRate", "userAcceleration") for axis in AXES]
LOWER_BAND, UPPER_BAND = (1.2, 2.2), (2.2, 3.5)
LAG_RANGE = (0.2, 1.1)

# MARK: Lanes


def norm(rows):
    return np.sqrt((rows * rows).sum(axis=1))


def directions(gravity):
    return gravity / norm(gravity)[:, None]


def lanes_of(samples, rate):
    """The 12 raw channels, attitude unwrapped within the window, and the six derived lanes. `samples` is [12 × N]."""
    lanes = dict(zip(CHANNELS, samples))
    for name in CHANNELS[:3]:
        lanes[name] = np.unwrap(lanes[name])
    gravity, rotation, acceleration = samples[3:6].T, samples[6:9].T, samples[9:12].T
    down = directions(gravity)
    along = (acceleration * down).sum(axis=1)
    lanes["userAcceleration.magnitude"] = norm(acceleration)
    lanes["rotationRate.magnitude"] = norm(rotation)
    lanes["vertical"] = -along
    lanes["horizontal"] = norm(acceleration - along[:, None] * down)
    lanes["total"] = norm(gravity + acceleration)
    lanes["jerk"] = np.concatenate([[0.0], norm(np.diff(acceleration, axis=0)) * rate])  # no sample before the first
    return {name: lane + 0.0 for name, lane in lanes.items()}  # + 0.0 turns -0 into 0


# MARK: Statistics


def mean(x):
    """The mean, computed from the distance to the first value, so that the mean of a constant is that constant."""
    return x[0] + np.mean(x - x[0])


def rms(x):
    return np.sqrt(np.mean(x * x))


def statistics(x):
    centred = x - mean(x)
    return {"mean": mean(x), "standardDeviation": rms(centred), "minimum": x.min(), "maximum": x.max(), "rms": rms(x)}


def transform_length(count):
    return max(64, 1 << (2 * count - 1).bit_length())


def band_rms(x, rate, band):
    """Root of the power between two frequencies, including the lower, excluding the upper; Hann window, zero-padded."""
    nfft = transform_length(len(x))
    frequency, density = signal.periodogram(
        x - mean(x), rate, window="hann", nfft=nfft, detrend=False, scaling="density")
    inside = (frequency >= band[0]) & (frequency < band[1])
    return np.sqrt(density[inside].sum() * rate / nfft)


def unbiased_autocorrelation(x):
    """r[k] for k in 0..<N of the mean-removed signal, each lag divided by the number of its products."""
    centred = x - mean(x)
    return signal.correlate(centred, centred, method="direct")[len(x) - 1:] / np.arange(len(x), 0, -1)


def candidate_lags(count, rate):
    """Whole lags in LAG_RANGE and within 0.6 of the window; 1e-9 compensates rounding of products such as 1.1 × 50."""
    first = math.ceil(LAG_RANGE[0] * rate - 1e-9)
    last = math.floor(min(LAG_RANGE[1] * rate, 0.6 * count) + 1e-9)
    return range(first, last + 1)


def local_maxima(r, lags):
    return [k for k in lags if r[k] > r[k - 1] and r[k] >= r[k + 1]]


def autocorrelation_lag(x, rate):
    """Seconds to the highest local maximum (the first of equals), refined by a parabola; 0 if there is none."""
    if x.min() == x.max():
        return 0.0
    r = unbiased_autocorrelation(x)
    peaks = local_maxima(r, candidate_lags(len(x), rate))
    if not peaks:
        return 0.0
    k = max(peaks, key=lambda lag: r[lag])  # max() keeps the first of equals
    left, top, right = r[k - 1:k + 2]
    return (k + 0.5 * (left - right) / (left - 2 * top + right)) / rate


def mean_crossing_rate(x, rate):
    """Mean crossings per second of window; a value on the mean counts as above it."""
    if x.min() == x.max():
        return 0.0
    above = x - mean(x) >= 0
    return np.count_nonzero(above[1:] != above[:-1]) / (len(x) / rate)


def orientation_free(lanes, samples, rate):
    """The seven features that do not depend on how the phone is worn."""
    log = lambda value: np.log(0.01 + value)
    top = lanes["vertical"].max()
    upper, lower = (band_rms(lanes["total"], rate, band) for band in (UPPER_BAND, LOWER_BAND))
    spread = 1 - np.linalg.norm(directions(samples[3:6].T).mean(axis=0))
    return {
        "vertical.rms.log[0.01]": log(rms(lanes["vertical"])),
        "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]": log(upper) - log(lower),
        "userAcceleration.magnitude.percentile[10].log[0.01]": log(
            np.percentile(lanes["userAcceleration.magnitude"], 10)),
        "vertical.maximum.signedLog[0.05]": np.sign(top) * np.log(1 + abs(top) / 0.05),
        "total.autocorrelationLag[0.2...1.1]": autocorrelation_lag(lanes["total"], rate),
        "vertical.meanCrossingRate": mean_crossing_rate(lanes["vertical"], rate),
        "gravity.sphericalVariance.log[0.01]": log(spread),
    }


def features_of(samples, rate):
    lanes = lanes_of(samples, rate)
    values = {f"{lane}.{name}": value for lane, x in lanes.items() for name, value in statistics(x).items()}
    values.update(orientation_free(lanes, samples, rate))
    return {name: float(value) for name, value in values.items()}


# MARK: Signals. Each returns [12 × N] in float64, not yet rounded.


def gravity_of(roll, pitch):
    """Core Motion's gravity of an attitude: -z when the phone lies on its back."""
    return np.array([np.cos(pitch) * np.sin(roll), -np.sin(pitch), -np.cos(pitch) * np.cos(roll)])


def wrapped(angle):
    return (angle + np.pi) % (2 * np.pi) - np.pi


def noise(rng, count, rate, level=1.0):
    """Every channel at random; gravity about a random direction, attitude anywhere in a full turn."""
    attitude = rng.uniform(-np.pi, np.pi, (3, count))
    gravity = rng.normal(0, 1, (3, 1)) + rng.normal(0, 0.3, (3, count))
    return np.concatenate([attitude, gravity, rng.normal(0, 2 * level, (3, count)), rng.normal(0, level, (3, count))])


def gait(rng, count, rate, steps, bounce, tilt, turn=0.1, heading=0.4, swing=0.15, noise_level=0.03):
    """Steps at `steps` hertz with two harmonics, strides at half of it, worn at `tilt` = (roll, pitch), in radians."""
    time = np.arange(count) / rate
    wave = lambda hertz, size: size * np.sin(2 * np.pi * hertz * time + rng.uniform(0, 2 * np.pi))
    roll = tilt[0] + wave(steps / 2, swing)
    pitch = tilt[1] + wave(steps / 2, swing / 2)
    gravity = gravity_of(roll, pitch)
    upward = wave(steps, bounce) + wave(2 * steps, 0.4 * bounce) + wave(3 * steps, 0.15 * bounce)
    side = np.array([wave(steps / 2, 0.3 * bounce), wave(steps, 0.25 * bounce), wave(steps / 2, 0.1 * bounce)])
    acceleration = -upward * gravity + side + rng.normal(0, noise_level, (3, count))
    rotation = np.array([wave(steps / 2, 6 * swing), wave(steps, 3 * swing), wave(steps / 2, 4 * swing)])
    yaw = heading + turn * time
    return np.concatenate([[wrapped(roll), pitch, wrapped(yaw)], gravity,
                           rotation + rng.normal(0, 3 * noise_level, (3, count)), acceleration])


def running(rng, count, rate, tilt=(0.3, -0.9), **options):
    return gait(rng, count, rate, 2.7, 1.1, tilt, **options)


def walking(rng, count, rate, tilt=(-0.2, -1.2), **options):
    return gait(rng, count, rate, 1.8, 0.25, tilt, swing=0.08, **options)


def still(rng, count, rate, level=0.005):
    roll, pitch = 0.2 + rng.normal(0, level, count), -0.4 + rng.normal(0, level, count)
    return np.concatenate([[roll, pitch, 1.5 + rng.normal(0, level, count)], gravity_of(roll, pitch),
                           rng.normal(0, 2 * level, (3, count)), rng.normal(0, level, (3, count))])


def constant(rng, count, rate, acceleration, gravity=(0, 0, -1), rotation=(0, 0, 0), attitude=(0, 0, 0)):
    row = np.array([*attitude, *gravity, *rotation, *acceleration], float)
    return np.repeat(row[:, None], count, axis=1)


def impulse(rng, count, rate, at, height):
    """Rest, except for one sample with a push along the z axis."""
    samples = constant(rng, count, rate, (0, 0, 0))
    samples[11, at] = height
    samples[6, at] = 1.5
    return samples


def huge_rotation(rng, count, rate):
    samples = running(rng, count, rate)
    samples[6] = 1e6 + rng.normal(0, 1, count)
    return samples


def offset(rng, count, rate, acceleration, rotation):
    samples = noise(rng, count, rate)
    samples[6:9] += np.array(rotation)[:, None]
    samples[9:12] += np.array(acceleration)[:, None]
    return samples


def metric_gravity(rng, count, rate):
    """Gravity in m/s², as some loggers write it: directions must be normalised."""
    samples = running(rng, count, rate)
    samples[3:6] *= 9.80665
    return samples


def tumbling(rng, count, rate):
    """The phone rotates by about half a turn: gravity's directions cancel, so their spread is large."""
    samples = walking(rng, count, rate)
    roll = np.linspace(-1.6, 2.4, count) + rng.normal(0, 0.02, count)
    samples[0], samples[1] = roll, 0.3
    samples[3:6] = gravity_of(roll, np.full(count, 0.3))
    return samples


def tone(rng, count, rate):
    """Only 2.7 Hz along gravity, with a known lag: a step lasts 0.370 s."""
    samples = constant(rng, count, rate, (0, 0, 0))
    samples[11] = 0.5 * np.sin(2 * np.pi * 2.7 * np.arange(count) / rate)
    return samples


# Name, samples per second, N, seed, signal, its options.
CASES = [
    ("noise", 25, 64, 1, noise, {}),
    ("noise, quiet", 25, 64, 6, noise, {"level": 0.05}),
    ("noise, 1 s", 25, 25, 3, noise, {}),
    ("noise, 100 samples", 25, 100, 4, noise, {}),
    ("noise, 50 Hz", 50, 128, 5, noise, {}),
    ("running", 25, 64, 10, running, {}),
    ("running, pocket", 25, 64, 11, running, {"tilt": (2.4, 0.7), "swing": 0.4}),
    ("running, 1 s", 25, 25, 12, running, {}),
    ("running, 2 s", 25, 50, 13, running, {}),
    ("running, 128 samples", 25, 128, 14, running, {}),
    ("running, 50 Hz", 50, 128, 15, running, {}),
    ("running, turning past π", 25, 64, 16, running, {"heading": 2.9, "turn": 0.5}),
    ("running, spinning", 25, 100, 17, running, {"heading": -3.0, "turn": -6.0, "tilt": (3.1, 0.2)}),
    ("walking", 25, 64, 20, walking, {}),
    ("walking, 100 samples", 25, 100, 21, walking, {"tilt": (1.4, 0.3)}),
    ("walking, 50 Hz", 50, 128, 22, walking, {}),
    ("walking, 50 Hz, 1 s", 50, 50, 23, walking, {}),
    ("still", 25, 64, 30, still, {}),
    ("still, 50 Hz", 50, 128, 31, still, {"level": 0.001}),
    ("constant, no acceleration", 25, 64, 0, constant, {"acceleration": (0, 0, 0)}),
    ("constant, tilted", 25, 64, 0, constant, {
        "acceleration": (0.3, -0.2, 0.1), "gravity": gravity_of(0.4, -0.7), "rotation": (0.1, 0.7, -1.3),
        "attitude": (0.4, -0.7, 3.1)}),
    ("constant, falling, 1 s", 25, 25, 0, constant, {
        "acceleration": (0, 1.5, -2), "gravity": (0, 0, -1), "rotation": (3, 4, 0), "attitude": (0, 0, -2)}),
    ("impulse up, no lag", 25, 64, 0, impulse, {"at": 32, "height": 2.5}),
    ("impulse down, edge lag", 25, 64, 0, impulse, {"at": 20, "height": -2.0}),
    ("rotation of a million", 25, 64, 40, huge_rotation, {}),
    ("large offset, downward", 25, 64, 41, offset, {"acceleration": (40, 30, 20), "rotation": (200, -300, 100)}),
    ("large offset, 50 samples", 25, 50, 42, offset, {"acceleration": (-8, 5, 12), "rotation": (0, 50, 0)}),
    ("gravity in metres", 25, 64, 43, metric_gravity, {}),
    ("tumbling", 25, 100, 44, tumbling, {}),
    ("tone", 25, 64, 0, tone, {}),
]


def samples_of(case):
    _, rate, count, seed, make, options = case
    return make(np.random.default_rng(seed), count, rate, **options).astype(np.float32).astype(np.float64) + 0.0


# MARK: Checks


def require(condition, *message):
    if not condition:
        raise AssertionError(" ".join(map(str, message)))


def demand_close(a, b, what, tolerance=1e-9):
    require(abs(a - b) <= tolerance * max(1, abs(a), abs(b)), what, a, b)


def demand_sturdy(name, samples, rate, features):
    """Rejects a case in which Float rounding could change a count, a lag, an unwrapped turn or a direction."""
    lanes = lanes_of(samples, rate)
    require(norm(samples[3:6].T).min() > 0.1, name, "gravity too short for a direction")
    steps = np.abs(np.diff(samples[:3], axis=1))
    require(np.abs(steps - np.pi).min() > 1e-3, name, "a step of half a turn")
    for lane in ("vertical", "horizontal"):
        size = rms(lanes[lane])
        require(size == 0 or size > 0.01 * rms(lanes["userAcceleration.magnitude"]), name, lane, "is mere rounding")
    x = lanes["vertical"]
    if x.min() < x.max():
        size = rms(norm(samples[9:12].T))
        require(np.abs(x - mean(x)).min() > 1e-5 * size, name, "vertical on its mean")
    x = lanes["total"]
    if x.min() < x.max():
        r = unbiased_autocorrelation(x)
        lags = candidate_lags(len(x), rate)
        heights = sorted((r[k] for k in local_maxima(r, lags)), reverse=True)
        require(len(heights) < 2 or heights[0] - heights[1] > 1e-3 * r[0], name, "two equal peaks")
    if np.ptp(samples, axis=1).max() == 0:
        return
    rng = np.random.default_rng(99)
    for _ in range(200):  # larger than the rounding of a sample
        shaken = features_of(samples * (1 + 2e-7 * rng.uniform(-1, 1, samples.shape)), rate)
        for key in ("vertical.meanCrossingRate", "total.autocorrelationLag[0.2...1.1]"):
            require(abs(shaken[key] - features[key]) <= 3e-5 * abs(features[key]), name, key, "is fragile",
                    features[key], shaken[key])


def demand_literal_agreement(name, samples, rate, features):
    """The same numbers from loops, sorted lists and an explicit Fourier sum."""
    lanes, count = lanes_of(samples, rate), samples.shape[1]
    for lane, x in lanes.items():
        demand_close(features[f"{lane}.mean"], math.fsum(x) / count, name)
        demand_close(features[f"{lane}.standardDeviation"], np.std(x), name)
        demand_close(features[f"{lane}.rms"] ** 2, features[f"{lane}.mean"] ** 2
                     + features[f"{lane}.standardDeviation"] ** 2, name)
    position = 0.1 * (count - 1)
    ordered = sorted(lanes["userAcceleration.magnitude"])
    below, part = ordered[int(position)], position - int(position)
    percentile = below + part * (ordered[int(position) + 1] - below)
    demand_close(features["userAcceleration.magnitude.percentile[10].log[0.01]"], math.log(0.01 + percentile), name)
    v = lanes["vertical"]
    crossings = sum((v[i] >= np.mean(v)) != (v[i - 1] >= np.mean(v)) for i in range(1, count)) if np.ptp(v) else 0
    demand_close(features["vertical.meanCrossingRate"], crossings * rate / count, name)
    x = lanes["total"] - np.mean(lanes["total"])
    r = unbiased_autocorrelation(lanes["total"])
    for k in range(count):
        demand_close(r[k], sum(x[i] * x[i + k] for i in range(count - k)) / (count - k), name)
    for band in (LOWER_BAND, UPPER_BAND):
        demand_close(band_rms(lanes["total"], rate, band), literal_band_rms(x, rate, band), name)


def literal_band_rms(centred, rate, band):
    count, nfft, power = len(centred), transform_length(len(centred)), 0.0
    time = np.arange(count)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * time / count)
    for k in range(1, nfft // 2):  # neither 0 nor the highest frequency is in a band, so every bin counts twice
        if band[0] <= k * rate / nfft < band[1]:
            power += 2 * abs(np.sum(centred * hann * np.exp(-2j * np.pi * k * time / nfft))) ** 2
    return math.sqrt(power / (nfft * np.sum(hann ** 2)))


def demand_turning_changes_nothing(name, samples, rate, features):
    """Rotates the phone: only features of single axes may change."""
    rotation, _ = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))
    turned = samples.copy()
    for start in (3, 6, 9):
        turned[start:start + 3] = rotation @ samples[start:start + 3]
    for key, value in orientation_free(lanes_of(turned, rate), turned, rate).items():
        if np.ptp(samples, axis=1).max() > 0 or "Rate" not in key and "Lag" not in key:
            demand_close(features[key], value, f"{name}: {key} turned", 1e-6)


def demand_known_answers():
    """Tones and small signals with known answers."""
    for rate, count in ((25, 128), (50, 256)):
        time = np.arange(count) / rate
        for hertz, inside, outside in ((1.7, LOWER_BAND, UPPER_BAND), (2.85, UPPER_BAND, LOWER_BAND)):
            x = 5 + 0.8 * np.sin(2 * np.pi * hertz * time + 0.3)
            require(abs(band_rms(x, rate, inside) / (0.8 / math.sqrt(2)) - 1) < 0.02, "band RMS of a tone", hertz)
            require(band_rms(x, rate, outside) < 0.02, "leakage of a tone", hertz)
        x = np.sin(2 * np.pi * 2.7 * time) + 0.5 * np.sin(2 * np.pi * 1.35 * time)
        require(abs(autocorrelation_lag(x, rate) - 2 / 2.7) < 0.01, "lag of a stride")
        require(abs(mean_crossing_rate(np.sin(2 * np.pi * 2.7 * time + 0.1), rate) - 5.4) < 0.4, "crossings of a tone")
    lag = features_of(samples_of(CASES[-1]), 25)["total.autocorrelationLag[0.2...1.1]"]
    require(min(abs(lag - n / 2.7) for n in (1, 2)) < 0.01, "lag of the 2.7 Hz case", lag)
    require([transform_length(n) for n in (25, 32, 33, 50, 64, 65, 128)] == [64, 64, 128, 128, 128, 256, 256], "nfft")
    require(mean_crossing_rate(np.array([1.0, -1, 1, -1]), 4) == 3, "three changes of side in a second")
    require(autocorrelation_lag(np.arange(64.0) * 0 + 0.1, 25) == 0, "lag of a constant")


# MARK: Writing


def decimal(value):
    """The shortest decimal that parses to the same number, at the value's precision."""
    text = str(value)
    return text[:-2] if text.endswith(".0") else text


def single(value):
    text = decimal(np.float32(value))
    require(np.float32(float(text)) == value, "reading", text, "as Double, then Float, loses bits")
    return text


def encoded(case):
    name, rate, count, *_ = case
    samples = samples_of(case)
    features = features_of(samples, rate)
    require(all(map(math.isfinite, features.values())), name, "is not finite")
    demand_sturdy(name, samples, rate, features)
    demand_literal_agreement(name, samples, rate, features)
    demand_turning_changes_nothing(name, samples, rate, features)
    columns = ",\n".join("[" + ",".join(map(single, column)) + "]" for column in samples)
    values = ",".join(f"{json.dumps(key)}:{decimal(value)}" for key, value in features.items())
    return (f'{{"name":{json.dumps(name, ensure_ascii=False)},"sampleRate":{rate},\n"samples":[{columns}],\n'
            f'"features":{{{values}}}}}')


def main():
    demand_known_answers()
    require(len({case[0] for case in CASES}) == len(CASES), "two cases share a name")
    text = "[\n" + ",\n".join(map(encoded, CASES)) + "\n]\n"
    json.loads(text)
    require(len(text.encode()) < 600_000, "the file grew past 600 kB:", len(text.encode()))
    Path(__file__).with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
