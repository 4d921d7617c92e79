/*
 * The C interface of Gait, version 1: recordings, features, models and runs. Scripts/python-package builds libgait.so.
 *
 * Handles. Objects are numbers. A function that returns a handle returns 0 on failure. Release each handle once with
 * gait_release. A released handle never becomes valid again, and using it is an error. If a call in another thread uses
 * an object when it is released, the object lives until that call returns.
 *
 * Errors. Every other function returns -1 on failure. gait_error then gives one sentence with the problem and the cure.
 * Counts, strides, numbers, alignment, NULL and handles are checked. No argument ends the process if every pointer
 * points to as many values as the call states.
 *
 * Memory. The caller owns every pointer; a call keeps none after it returns. Texts are UTF-8 and end with NUL. A
 * function that writes a text returns its length without the NUL. If the length is not below the capacity, it writes
 * nothing: call again with more room. The buffer may be NULL to ask for the length.
 *
 * Threads. Every function may be called from any thread. Calls that use one stream wait for each other; the order of
 * the calls is the order of the samples. The text of gait_error belongs to the calling thread.
 *
 * Samples. Values are in radians, radians per second and g. Channels are a mask, bit 0 first, and values come in the
 * order of the bits: attitude.roll, attitude.pitch, attitude.yaw, gravity.x, gravity.y, gravity.z, rotationRate.x,
 * rotationRate.y, rotationRate.z, userAcceleration.x, userAcceleration.y, userAcceleration.z. A missing value is NaN.
 * Times are whole nanoseconds and increase strictly. If times is NULL, samples are evenly spaced from the start on. The
 * value of channel c in row r is values[r * row_stride + c * channel_stride]; length is the number of values at the
 * pointer.
 *
 * Options are lines "key=value"; NULL for none.
 *
 * Windows have the same bits as those of the Swift library on the same machine, however a stream is cut into blocks.
 */
#ifndef GAIT_H
#define GAIT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t gait_handle;

/* The version of this interface. It changes if a function changes, not if one is added. */
uint32_t gait_abi_version(void);

/* The text of this thread's last failed call; empty if no call failed. */
int64_t gait_error(char *buffer, int64_t capacity);

/* Releases a handle; 0, or -1 if it is not valid. */
int32_t gait_release(gait_handle handle);

/* The object as JSON: kind, sizes, names, rates; for a run, what `gait track --json` prints. */
int64_t gait_describe(gait_handle handle, char *buffer, int64_t capacity);

/* What is wrong with the samples of a recording or a stream: a sentence with the cure on each line. The first minute of
 * samples is judged. The text is empty if nothing is wrong. */
int64_t gait_findings(gait_handle handle, char *buffer, int64_t capacity);

/* Reads a recording: every file, folder and archive that the command reads. Options: rate, format, accelerationUnit,
 * angleUnit, timeUnit, scale, labelColumn, subjectColumn, sensor, columns. */
gait_handle gait_recording_read(const char *path, const char *options);

/* Reads a recording in blocks of samples, for files of any length. The options are those of gait_recording_read.
 * gait_blocks_next returns 1 and the next block as a recording, or 0 after the last block. It returns 2 if a later part
 * of the file showed that the earlier blocks were read wrongly: discard them, as all blocks follow once more. After the
 * last block, gait_describe has rows and repairs. */
gait_handle gait_blocks_open(const char *path, const char *options);
int64_t gait_blocks_next(gait_handle blocks, gait_handle *recording);

/* A recording from memory. The name is for errors, start is in nanoseconds. gravity_is_estimated: 0; 1 if gravity comes
 * from an accelerometer alone; 2 if userAcceleration has the total acceleration, from which gravity is estimated. */
gait_handle gait_recording_create(const char *name, double hertz, int64_t start, uint32_t channels,
                                  const int64_t *times, const float *values, int64_t length, int64_t rows,
                                  int64_t row_stride, int64_t channel_stride, int32_t gravity_is_estimated);

/* A recording from one array of `rows` values for each channel. */
gait_handle gait_recording_create_columns(const char *name, double hertz, int64_t start, uint32_t channels,
                                          const int64_t *times, const float *const *columns, int64_t rows,
                                          int32_t gravity_is_estimated);

/* Copies `rows` rows from row `first` on: values of shape [rows x 12] with NaN for missing channels, and times. Either
 * pointer may be NULL. The lengths are the numbers of values that fit at the pointers. Returns rows. It is an error if
 * the recording has fewer rows. */
int64_t gait_recording_copy(gait_handle recording, int64_t first, int64_t rows, float *values, int64_t length,
                            int64_t *times, int64_t times_length);

/* Features to compute: a line for each feature or set (orientationFree, running, linear, full); window and hop in
 * seconds; the rate in hertz to which sources are resampled (25 is the default of models and of the command). */
gait_handle gait_plan_create(const char *features, double window, double hop, double hertz);

/* Reads a model file, or one of the models that come with Gait: running, running-linear, running-pocket, running-wrist.
 * If the channels of a stream or a run have no gravity, running is replaced by running-linear. */
gait_handle gait_model_load(const char *path);

/* A model from the contents of a model file; seal accepts a missing or wrong checksum. The name is for errors. */
gait_handle gait_model_parse(const uint8_t *json, int64_t length, const char *name);
gait_handle gait_model_seal(const uint8_t *json, int64_t length, const char *name);

/* The contents of the model file, with its checksum. */
int64_t gait_model_json(gait_handle model, char *buffer, int64_t capacity);

/* The model as swift (source) or gait (a model file), the bytes that `gait export` writes. Options: name, notice. */
int64_t gait_model_export(gait_handle model, const char *format, const char *options, char *buffer, int64_t capacity);

/* Label probabilities, shape [rows x labels], of unscaled features, shape [rows x features]. A feature that is not
 * finite is an error. Returns rows. */
int64_t gait_model_probabilities(gait_handle model, const float *features, int64_t length, int64_t rows,
                                 float *probabilities, int64_t probabilities_length);

/* A stream of windows: of a plan's features, or of a model's label probabilities. It is an error if a needed channel is
 * missing or the rate is too low. Options: allowSlowSource, gravityIsEstimated (true or false). */
gait_handle gait_stream_create(gait_handle plan_or_model, double hertz, int64_t start, uint32_t channels,
                               const char *options);

/* A stream that tracks a run; gait_describe has the run so far. Options: policy, splitMeters, stepLength, bodyMass,
 * allowSlowSource, gravityIsEstimated. */
gait_handle gait_track_create(gait_handle model, double hertz, int64_t start, uint32_t channels, const char *options);

/* Takes samples; returns the number of windows that can be pulled. Within a call, times must increase. Samples that are
 * not later than those of earlier calls are dropped and counted. */
int64_t gait_stream_push(gait_handle stream, const int64_t *times, const float *values, int64_t length, int64_t rows,
                         int64_t row_stride, int64_t channel_stride);
int64_t gait_stream_push_columns(gait_handle stream, const int64_t *times, const float *const *columns, int64_t rows);
int64_t gait_stream_push_recording(gait_handle stream, gait_handle recording);

/* Takes the samples of a recording and the GPS points of a file (the files of `gait track --location`), on the clock of
 * the recording. Returns the number of points. Options: locationOffset, the seconds to add to the points' times.
 * Without it, the offset is found from both files. */
int64_t gait_track_push_recording(gait_handle track, gait_handle recording, const char *location, const char *options);

/* Moves up to `windows` windows to the caller: values of shape [windows x features or labels], the times of their first
 * samples, and the indices of their labels. An index is -1 if the window is unlike all training data, and for a plan; it
 * is -2 if less than 0.6 of the window was measured. Each pointer may be NULL; starts and labels have room for `windows`
 * values. Returns the number of windows. */
int64_t gait_stream_pull(gait_handle stream, int64_t windows, float *values, int64_t length, int64_t *starts,
                         int32_t *labels);

/* The number of samples that the stream interpolated because some were missing for at most 0.3 s; 0 for a run. */
int64_t gait_stream_bridged(gait_handle stream);

/* Returns 0, or -1 if a channel that the stream needs has no value in the first minute of its samples. */
int32_t gait_stream_check(gait_handle stream);

#ifdef __cplusplus
}
#endif
#endif
