"""Features in Ray Data: one task for each recording. `samples` has the columns of gait_spark.py, with pandas batches."""
import gait_motion as gait


def windows(frame):
    """The windows of one recording; for `dataset.groupby("recording").map_groups(windows, batch_format="pandas")`."""
    import pandas
    frame = frame.sort_values("time")
    channels = {channel: frame[channel.replace(".", "_")].to_numpy() for channel in gait.CHANNELS
                if channel.replace(".", "_") in frame}
    recording = gait.Recording.from_samples(channels, times=frame["time"].to_numpy(), sample_rate=50)
    found = gait.Features().windows(recording)
    return pandas.DataFrame(
        {"recording": frame["recording"].iloc[0], "start": found.starts, "features": list(found.values)})
