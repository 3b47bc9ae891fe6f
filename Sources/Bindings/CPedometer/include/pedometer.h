// pedometer.h - counts steps in acceleration and in recordings, and reads the samples of recordings.
//
//     pedometer *walk = NULL;
//     pedometer_total total = {.size = sizeof total};
//     if (pedometer_create(NULL, &walk) || pedometer_count_file(walk, "walk.csv.gz") || pedometer_totals(walk, &total))
//       fprintf(stderr, "%s\n", pedometer_error());
//     else
//       printf("%lld steps\n", (long long)total.steps);
//     pedometer_destroy(walk);
//
// A handle counts one recording: one file with pedometer_count_file(), or arrays with pedometer_process(), any number of
// times, and pedometer_finish(). The numbers are those of the command 'pedometer count' on the same data.
//
// A reader gives the samples of a file, from pedometer_open() to pedometer_close():
//
//     pedometer_reader *reader = NULL;
//     int64_t count = 0;
//     if (pedometer_open(NULL, "week.cwa", &reader)) ...
//     while (!pedometer_read(reader, times, x, y, z, 4096, &count) && count > 0) ...
//     pedometer_close(reader);
//
// Results. Functions that can fail return PEDOMETER_OK or one of the codes below, which are the command's exit codes
// (sysexits.h). pedometer_error() then has a sentence, which names members of pedometer_options, such as "option rate".
//
// Threads. A handle, and a reader, belongs to one thread at a time. Different threads may use different ones at the same time,
// without a lock. A call with one that another thread is using returns PEDOMETER_BUSY and does nothing.
//
// Memory. Pointers that the library returns belong to it, and arrays that the caller passes are only used during the call:
// those of samples to count are read, and those of pedometer_read() are written, up to their capacity and no further. As
// everywhere in C, a pointer to memory that is not there, or a handle after pedometer_destroy(), is undefined behaviour, and
// so is a reader after pedometer_close().
//
// Units. Times and durations are in seconds unless stated otherwise, distances in metres, cadence in steps per second.

#ifndef PEDOMETER_H
#define PEDOMETER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Results.
enum {
  PEDOMETER_OK = 0,
  /// An argument or option is wrong, or the call comes at the wrong time.
  PEDOMETER_USAGE = 64,
  /// The data cannot be counted.
  PEDOMETER_BAD_DATA = 65,
  /// The file does not exist.
  PEDOMETER_NO_INPUT = 66,
  /// Opening or reading failed.
  PEDOMETER_IO = 74,
  /// Another thread is using the handle.
  PEDOMETER_BUSY = 75,
  /// The file may not be read.
  PEDOMETER_NO_PERMISSION = 77
};

/// Types of numbers in arrays.
enum {
  /// IEEE 754 single precision.
  PEDOMETER_FLOAT32 = 1,
  /// IEEE 754 double precision.
  PEDOMETER_FLOAT64 = 2,
  /// Signed 64-bit integers; only for times, in nanoseconds.
  PEDOMETER_INT64 = 3
};

/// Counts one recording.
typedef struct pedometer pedometer;

/// What is known about the recording and the walker. Set `size`, and everything else to zero that is not known:
///
///     pedometer_options options = {.size = sizeof options, .units = "m/s2"};
typedef struct pedometer_options {
  /// sizeof(pedometer_options).
  size_t size;
  /// "g", "mg", "m/s2" or "raw=16384" with the number of counts per g. NULL or "auto": detected, with a warning where it is
  /// doubtful.
  const char *units;
  /// Samples per second, 5 to 100000, of data without times; 0: none stated.
  double rate;
  /// The walker's height, 0.5 to 2.6 m, from which the step length is computed; 0: 1.7 m.
  double height;
  /// The step length, 0.1 to 3 m; it takes precedence over the height; 0: unknown.
  double step_length;
  /// Of files: "csv", "jsonl", "cwa", "gt3x", "geneactiv", "matrix" or "iio". NULL or "auto": detected.
  const char *input_format;
  /// Of text files: the columns of time, x, y and z, or of x, y and z, by name or number: "t,x,y,z". NULL: detected.
  const char *columns;
  /// Of files: earlier samples are left out; ISO 8601, or seconds from the first sample. NULL: nothing is left out.
  const char *start;
  /// Of files: this and later samples are left out. NULL: nothing is left out.
  const char *end;
  /// Of an archive with several recordings: the file to read. NULL: there is only one.
  const char *entry;
  /// 1: steps are refined to some 3 ms, and pedometer_gait_bouts() measures gait; the samples of open bouts are kept, some
  /// megabytes. 0: neither.
  int32_t gait;
  /// Also count what resembles a walk that `pedometer learn` has learned, by its name or file. NULL: none.
  const char *profile;
  /// 1: the recording is known to be a walk, and all movement with the rhythm and strength of its steps is counted; `profile` is
  /// then NULL. 0: the detector decides what is walking.
  int32_t walking;
} pedometer_options;

/// Samples in memory. Strides are in bytes and may be negative; nothing has to be aligned.
///
///     double t[1000];
///     float xyz[1000][3];
///     pedometer_samples samples = {
///       .size = sizeof samples, .count = 1000,
///       .times = t, .times_type = PEDOMETER_FLOAT64, .times_stride = sizeof *t,
///       .xyz = xyz, .xyz_type = PEDOMETER_FLOAT32, .row_stride = sizeof *xyz, .axis_stride = sizeof **xyz};
typedef struct pedometer_samples {
  /// sizeof(pedometer_samples).
  size_t size;
  /// The number of samples, at least 1.
  int64_t count;
  /// Their times, each later than the one before: seconds in floating point, or nanoseconds as integers, since any moment.
  /// NULL: the samples are 1/rate apart, and pedometer_options.rate is needed.
  const void *times;
  int64_t times_stride;
  /// Acceleration including gravity along the sensor's axes, in the unit of the options.
  const void *xyz;
  int64_t row_stride;
  int64_t axis_stride;
  int32_t times_type;
  int32_t xyz_type;
} pedometer_samples;

/// The totals of a recording, as far as it was counted.
typedef struct pedometer_total {
  /// sizeof(pedometer_total), set by the caller.
  size_t size;
  /// Steps of both feet.
  int64_t steps;
  /// Metres.
  double distance_travelled;
  /// From the first sample to the last, in seconds.
  double duration;
  /// The time in which the steps were taken, in seconds.
  double walking_duration;
  /// Steps per second of walking; NaN before two consecutive steps.
  double mean_cadence;
  /// The mean probability that the steps were walking, 0 to 1; NaN without steps.
  double confidence;
  int64_t samples;
  /// Hz, without gaps; NaN before two samples.
  double sampling_frequency;
  /// Gaps in the times of more than a second.
  int64_t gaps;
  /// The time of the recording's first sample, in nanoseconds on the recording's clock: the zero of all other times here.
  int64_t origin;
  /// The number of warnings; complete after pedometer_finish() or pedometer_count_file().
  int64_t warnings;
} pedometer_total;

/// An interval of a recording.
typedef struct pedometer_epoch {
  /// Seconds since the recording's first sample.
  double start;
  int64_t steps;
  /// Metres.
  double distance_travelled;
  /// Steps per second of walking; NaN without steps.
  double cadence;
  /// 0 to 1; NaN without steps.
  double confidence;
} pedometer_epoch;

/// Steps no further apart than two seconds.
typedef struct pedometer_bout {
  /// The first and the last step, in seconds since the recording's first sample.
  double start;
  double end;
  int64_t steps;
  /// Steps per second; NaN for a single step.
  double cadence;
  /// The probability that it is walking, 0 to 1.
  double confidence;
} pedometer_bout;

/// How evenly someone walks in a bout, or in all. A step lasts from a foot strike to the next one of the other foot, a stride to
/// the next one of the same foot. Deviations are standard deviations within bouts. NaN where there is too little.
typedef struct pedometer_gait {
  /// The first and the last step, in seconds since the recording's first sample; NaN for all bouts.
  double start;
  double end;
  int64_t steps;
  /// The strides that were measured.
  int64_t strides;
  /// Steps per second.
  double cadence;
  double cadence_deviation;
  /// Seconds.
  double step_time;
  double step_time_deviation;
  double stride_time;
  double stride_time_deviation;
  /// The difference of the mean times of left and right steps, in percent of the mean step time; NaN below 8 strides in a row,
  /// and where the sensor does not see both feet alike, as on a foot.
  double asymmetry;
  /// The unbiased autocorrelation of the vertical acceleration at the step and the stride time, at most 1; from 8 strides in a
  /// row (Moe-Nilssen and Helbostad 2004).
  double step_regularity;
  double stride_regularity;
} pedometer_gait;

/// Reads the samples of one recording.
typedef struct pedometer_reader pedometer_reader;

/// What the times of a recording count from. Add new ones at the end only.
enum {
  /// Its first sample, because it names no day.
  PEDOMETER_CLOCK_NONE = 0,
  /// 1970-01-01T00:00 on the recorder's clock, which shows local time of an unknown zone.
  PEDOMETER_CLOCK_LOCAL = 1,
  /// 1970-01-01T00:00 UTC.
  PEDOMETER_CLOCK_UTC = 2
};

/// A recording that is being read. Strings are in UTF-8, NULL where the recording does not state it, and valid until
/// pedometer_close().
typedef struct pedometer_recording {
  /// sizeof(pedometer_recording), set by the caller.
  size_t size;
  /// PEDOMETER_CLOCK_…: what the times count from. It does not change.
  int32_t clock;
  /// 1: `utc_offset` is known.
  int32_t has_utc_offset;
  /// How far the recorder's clock was ahead of UTC, in seconds. With PEDOMETER_CLOCK_UTC it has been subtracted. With
  /// PEDOMETER_CLOCK_LOCAL it may still become known at the end of the recording; then UTC is the time less this.
  int64_t utc_offset;
  /// The samples given so far. What follows also concerns what was read so far, and is complete at the end.
  int64_t samples;
  /// The samples before `start` and from `end` of the options, as far as they were read.
  int64_t samples_outside;
  /// Rows or samples that were left out because they were damaged; the warnings have the reasons.
  int64_t rows_skipped;
  /// Parts of a device's file that were lost to damage.
  int64_t damaged_parts;
  /// Gaps in the times of more than a second, and their sum in seconds.
  int64_t gaps;
  double gap_duration;
  /// The samples per second that the recording states, and those that were measured, without gaps; NaN if unknown.
  double nominal_frequency;
  double sampling_frequency;
  /// The upper limit of the sensor's range, in g; NaN if unknown.
  double range;
  /// The part of the file that was read, 0 to 1; NaN for a pipe and inside an archive.
  double fraction;
  /// The format, as for the option input_format.
  const char *format;
  /// The unit of the values in the recording, as for the option units; samples are in g.
  const char *unit;
  /// The device.
  const char *maker;
  const char *model;
  const char *serial;
  const char *firmware;
  /// The times of the first and of the last sample so far: local time in ISO 8601, with its offset where it is known.
  const char *start;
  const char *end;
  /// The number of warnings; complete at the end.
  int64_t warnings;
} pedometer_recording;

/// How pedometer_calibrate() ended.
enum {
  /// The samples are calibrated.
  PEDOMETER_CALIBRATED = 0,
  /// Not changed: the sensor rested in fewer than ten intervals of 10 s.
  PEDOMETER_LITTLE_REST = 1,
  /// Not changed: it did not rest in both directions of every axis, at least 0.3 g each.
  PEDOMETER_FEW_ORIENTATIONS = 2,
  /// Not changed: no gains and offsets of a sensor bring its rest closer to 1 g.
  PEDOMETER_NO_IMPROVEMENT = 3
};

/// What pedometer_calibrate() found: a calibrated value is gain * value + offset. Without a calibration, gains are 1, offsets
/// 0 and errors NaN.
typedef struct pedometer_calibration {
  /// sizeof(pedometer_calibration), set by the caller.
  size_t size;
  /// PEDOMETER_CALIBRATED, or why the samples were not changed.
  int32_t outcome;
  /// The number of intervals of 10 s in which the sensor rested, at most 200,000.
  int32_t intervals;
  /// By axis; offsets in g.
  double gain[3];
  double offset[3];
  /// The mean distance of the rest from 1 g before and after, in g.
  double error_before;
  double error_after;
} pedometer_calibration;

/// Makes a handle.
/// - options: what is known; may be NULL.
/// - walk: gets the handle, or NULL where this fails; free it with pedometer_destroy().
int32_t pedometer_create(const pedometer_options *options, pedometer **walk);

/// Frees a handle and everything that it returned. NULL is allowed. No other call with the handle may be going on.
void pedometer_destroy(pedometer *walk);

/// Counts samples; the first call detects the unit where none is stated. All samples are checked before the first one is
/// counted: a value that is not finite, and a time that is not later than the one before, is an error with its place, and
/// then nothing of this call is counted.
///
/// Cost: about 50 ns a sample, no memory that grows with the number of samples, 40 bytes a step.
int32_t pedometer_process(pedometer *walk, const pedometer_samples *samples);

/// Ends the recording: decides about the last seconds, and checks the whole. Data in which no steps can be counted, such as
/// samples more than a second apart, are an error. No samples may follow.
int32_t pedometer_finish(pedometer *walk);

/// Counts a whole file: text or a file of a research device, plain, compressed or in an archive. A file that is damaged is
/// counted up to the damage or around it, with a warning. The handle must be new.
/// - path: its name, in the file system's encoding.
int32_t pedometer_count_file(pedometer *walk, const char *path);

/// The totals so far.
int32_t pedometer_totals(pedometer *walk, pedometer_total *total);

/// The steps so far, in order of time. Before the end, the last 20 seconds may lack steps.
/// - times: gets seconds since the recording's first sample; may be NULL.
/// - confidences: gets the probability that each step was walking, 0 to 1; may be NULL.
/// - capacity: how many fit; no more are written.
/// - count: gets the number of steps.
int32_t pedometer_steps(pedometer *walk, double *times, double *confidences, int64_t capacity, int64_t *count);

/// Consecutive intervals from the first sample to the last, which may be shorter.
/// - length: of an interval, in seconds, at least 1; at most ten million intervals.
/// - epochs: gets the intervals; may be NULL.
/// - capacity: how many fit; no more are written.
/// - count: gets their number.
int32_t pedometer_epochs(pedometer *walk, double length, pedometer_epoch *epochs, int64_t capacity, int64_t *count);

/// The bouts of walking that are final.
/// - bouts: gets the bouts, in order of time; may be NULL.
/// - capacity: how many fit; no more are written.
/// - count: gets their number.
int32_t pedometer_bouts(pedometer *walk, pedometer_bout *bouts, int64_t capacity, int64_t *count);

/// The gait of the bouts that are over and have strides; none without the option gait.
/// - bouts: gets them, in order of time; may be NULL.
/// - capacity: how many fit; no more are written.
/// - count: gets their number.
int32_t pedometer_gait_bouts(pedometer *walk, pedometer_gait *bouts, int64_t capacity, int64_t *count);

/// The gait of all bouts that are over.
int32_t pedometer_gait_total(pedometer *walk, pedometer_gait *total);

/// A sentence about what was doubtful or lost, from 0; NULL beyond the last. In UTF-8, valid until pedometer_destroy().
const char *pedometer_warning(pedometer *walk, int64_t index);

/// The times of the first counted sample, of the last one, and of the zero of all times: local time in ISO 8601, with its
/// offset where the recording states one. NULL where it names no day, before the end, and for arrays. Valid until
/// pedometer_destroy().
const char *pedometer_start(pedometer *walk);
const char *pedometer_end(pedometer *walk);
const char *pedometer_origin(pedometer *walk);

/// Opens a recording that pedometer_count_file() can count, and reads its beginning.
/// - options: what is known; may be NULL. The height, the step length and the gait do not matter.
/// - path: its name, in the file system's encoding.
/// - reader: gets the reader, or NULL where this fails; free it with pedometer_close().
int32_t pedometer_open(const pedometer_options *options, const char *path, pedometer_reader **reader);

/// Gives the next samples. They are those that are counted: not resampled, interpolated or calibrated, in order of time.
///
/// A file that is damaged is read up to the damage or around it, with a warning. If most of its rows
/// are damaged, that is an error at its end, and so is a disk that fails: drop what was read then.
/// - times: gets nanoseconds, each later than the one before; pedometer_recording.clock says since when. May be NULL.
/// - x, y, z: get acceleration including gravity along the sensor's axes, in g; each may be NULL.
/// - capacity: how many samples fit, at least 1.
/// - count: gets how many there are: less than fit only before the end, and 0 at the end.
int32_t pedometer_read(
  pedometer_reader *reader, int64_t *times, float *x, float *y, float *z, int64_t capacity, int64_t *count);

/// What is known about the recording; at any time from pedometer_open() on.
int32_t pedometer_describe(pedometer_reader *reader, pedometer_recording *recording);

/// A sentence about what was doubtful or lost, from 0; NULL beyond the last, and before the end. In UTF-8, valid until
/// pedometer_close().
const char *pedometer_reader_warning(pedometer_reader *reader, int64_t index);

/// Closes a recording, at its end or before it, and frees the reader and everything that it returned. NULL is allowed. No
/// other call with the reader may be going on.
void pedometer_close(pedometer_reader *reader);

/// Calibrates the samples of a whole recording where they are. At rest the acceleration is 1 g in any orientation, so the
/// gains and offsets are sought that bring the means of quiet intervals of 10 s closest to 1 g (van Hees 2014, without the
/// temperature), as in 'pedometer study --autocalibrate'. Where none can be found the samples stay as they are, which is no
/// error.
/// - times: nanoseconds since any moment, none earlier than the one before.
/// - x, y, z: acceleration in g, without NaN and infinities.
/// - count: the number of samples.
/// - calibration: gets what was found.
int32_t pedometer_calibrate(
  const int64_t *times, float *x, float *y, float *z, int64_t count, pedometer_calibration *calibration);

/// Finds when the sensor was worn, as 'pedometer study' does: an hour is non-wear in which two of the axes have a standard
/// deviation below 13 mg and a range below 50 mg, and short wear between long non-wear is non-wear (van Hees 2011 and 2013).
/// The resolution is a quarter of an hour. A recording without an uninterrupted hour counts as worn.
/// - times, x, y, z, count: the samples of a whole recording, as for pedometer_calibrate().
/// - worn: gets 1 for each sample while the sensor was worn, and 0 for the others.
int32_t pedometer_wear(
  const int64_t *times, const float *x, const float *y, const float *z, int64_t count, uint8_t *worn);

/// A sentence about the last call of this thread that failed; empty before. In UTF-8, valid until the next call that fails.
const char *pedometer_error(void);

/// The version of the library, such as "0.2.0".
const char *pedometer_version(void);

#ifdef __cplusplus
}
#endif

#endif
