// Counting: a job with a handle of the library.

#include "count.h"

#include <stdlib.h>

typedef struct counter {
  // The first member, so that a pointer to the job is one to the counter.
  job work;
  pedometer *handle;
  char *path;
  pedometer_samples samples;
} counter;

static void destroy(job *work) {
  counter *counting = (counter *)work;
  pedometer_destroy(counting->handle);
  free(counting->path);
  free(counting);
}

static int32_t run_count_file(job *work) {
  counter *counting = (counter *)work;
  return pedometer_count_file(counting->handle, counting->path);
}

static int32_t run_process(job *work) {
  counter *counting = (counter *)work;
  return pedometer_process(counting->handle, &counting->samples);
}

static int32_t run_finish(job *work) { return pedometer_finish(((counter *)work)->handle); }

static const char *gone =
  "the library's handle is gone: it was loaded from a file, or an interrupt ended it; count the recording again";

SEXP count_create(SEXP list) {
  job_sweep();
  counter *counting = calloc(1, sizeof *counting);
  if (!counting) return failure(PEDOMETER_IO, "there is not enough memory; end other programs, then try again");
  job_begin(&counting->work, destroy);
  SEXP pointer = PROTECT(job_pointer(&counting->work));
  pedometer_options options = copied_options(list);
  const int32_t code = pedometer_create(&options, &counting->handle);
  free_options(&options);
  SEXP value = code == PEDOMETER_OK ? pointer : last_failure(code);
  UNPROTECT(1);
  return value;
}

SEXP count_file(SEXP pointer, SEXP path) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  free(counting->path);
  counting->path = copied_string(path);
  return job_run(&counting->work, run_count_file, R_NilValue);
}

// A matrix of doubles with three columns, and their times or NULL; R has checked that.
SEXP count_process(SEXP pointer, SEXP times, SEXP xyz) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  const int64_t rows = XLENGTH(xyz) / 3;
  counting->samples = (pedometer_samples){
    .size = sizeof counting->samples,
    .count = rows,
    .xyz = REAL(xyz),
    .xyz_type = PEDOMETER_FLOAT64,
    .row_stride = sizeof(double),
    .axis_stride = rows * (int64_t)sizeof(double)};
  if (times != R_NilValue) {
    counting->samples.times = REAL(times);
    counting->samples.times_type = PEDOMETER_FLOAT64;
    counting->samples.times_stride = sizeof(double);
  }
  // After an interrupt the thread may still read them, so assignments to elements must make copies.
  MARK_NOT_MUTABLE(times);
  MARK_NOT_MUTABLE(xyz);
  SEXP kept = PROTECT(Rf_list2(times, xyz));
  SEXP value = job_run(&counting->work, run_process, kept);
  UNPROTECT(1);
  return value;
}

SEXP count_finish(SEXP pointer) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  return job_run(&counting->work, run_finish, R_NilValue);
}

SEXP count_totals(SEXP pointer) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  pedometer *handle = counting->handle;
  pedometer_total total = {.size = sizeof total};
  int32_t code = pedometer_totals(handle, &total);
  if (code != PEDOMETER_OK) return last_failure(code);

  const char *names[] = {
    "steps", "distance_travelled", "duration", "walking_duration", "mean_cadence", "confidence", "samples",
    "sampling_frequency", "gaps", "warnings", "start", "end", "origin", "zero", "step_times", "step_confidences", ""};
  SEXP list = PROTECT(named_list(names));
  const double numbers[] = {
    (double)total.steps, total.distance_travelled, total.duration, total.walking_duration, total.mean_cadence,
    total.confidence, (double)total.samples, total.sampling_frequency, (double)total.gaps};
  for (int i = 0; i < 9; i += 1) SET_VECTOR_ELT(list, i, Rf_ScalarReal(numbers[i]));
  SEXP warnings = Rf_allocVector(STRSXP, total.warnings);
  SET_VECTOR_ELT(list, 9, warnings);
  for (int64_t i = 0; i < total.warnings; i += 1) {
    const char *warning = pedometer_warning(handle, i);
    SET_STRING_ELT(warnings, i, Rf_mkCharCE(warning ? warning : "", CE_UTF8));
  }
  SET_VECTOR_ELT(list, 10, text(pedometer_start(handle)));
  SET_VECTOR_ELT(list, 11, text(pedometer_end(handle)));
  SET_VECTOR_ELT(list, 12, Rf_ScalarReal(seconds_of(total.origin)));
  SET_VECTOR_ELT(list, 13, text(pedometer_origin(handle)));
  SET_VECTOR_ELT(list, 14, Rf_allocVector(REALSXP, total.steps));
  SET_VECTOR_ELT(list, 15, Rf_allocVector(REALSXP, total.steps));
  int64_t count = 0;
  code = pedometer_steps(handle, REAL(VECTOR_ELT(list, 14)), REAL(VECTOR_ELT(list, 15)), total.steps, &count);
  UNPROTECT(1);
  return code == PEDOMETER_OK ? list : last_failure(code);
}

double seconds_of(int64_t nanoseconds) {
  // Whole seconds are exact, so that only the sum is rounded.
  return (double)(nanoseconds / 1000000000) + (double)(nanoseconds % 1000000000) / 1e9;
}

// A list with a column of doubles for each name.
static SEXP columns(const char **names, int64_t rows) {
  SEXP list = PROTECT(named_list(names));
  for (R_xlen_t i = 0; i < XLENGTH(list); i += 1) SET_VECTOR_ELT(list, i, Rf_allocVector(REALSXP, rows));
  UNPROTECT(1);
  return list;
}

static void set(SEXP list, int64_t row, const double *values) {
  for (R_xlen_t i = 0; i < XLENGTH(list); i += 1) REAL(VECTOR_ELT(list, i))[row] = values[i];
}

// Memory that R frees when the call ends, in any way. There is always some, because no pointer may be NULL.
static void *room(int64_t count, size_t size) { return R_alloc((size_t)count + 1, (int)size); }

SEXP count_epochs(SEXP pointer, SEXP length) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  const double seconds = Rf_asReal(length);
  int64_t count = 0;
  int32_t code = pedometer_epochs(counting->handle, seconds, NULL, 0, &count);
  if (code != PEDOMETER_OK) return last_failure(code);
  pedometer_epoch *epochs = room(count, sizeof *epochs);
  code = pedometer_epochs(counting->handle, seconds, epochs, count, &count);
  if (code != PEDOMETER_OK) return last_failure(code);
  const char *names[] = {"start", "steps", "distance_travelled", "cadence", "confidence", ""};
  SEXP list = PROTECT(columns(names, count));
  for (int64_t i = 0; i < count; i += 1) {
    const pedometer_epoch epoch = epochs[i];
    set(list, i, (double[]){epoch.start, (double)epoch.steps, epoch.distance_travelled, epoch.cadence, epoch.confidence});
  }
  UNPROTECT(1);
  return list;
}

SEXP count_bouts(SEXP pointer) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  int64_t count = 0;
  int32_t code = pedometer_bouts(counting->handle, NULL, 0, &count);
  if (code != PEDOMETER_OK) return last_failure(code);
  pedometer_bout *bouts = room(count, sizeof *bouts);
  code = pedometer_bouts(counting->handle, bouts, count, &count);
  if (code != PEDOMETER_OK) return last_failure(code);
  const char *names[] = {"start", "end", "steps", "cadence", "confidence", ""};
  SEXP list = PROTECT(columns(names, count));
  for (int64_t i = 0; i < count; i += 1) {
    const pedometer_bout bout = bouts[i];
    set(list, i, (double[]){bout.start, bout.end, (double)bout.steps, bout.cadence, bout.confidence});
  }
  UNPROTECT(1);
  return list;
}

static SEXP gaits(const pedometer_gait *gait, int64_t count) {
  const char *names[] = {
    "start", "end", "steps", "strides", "cadence", "cadence_deviation", "step_time", "step_time_deviation", "stride_time",
    "stride_time_deviation", "asymmetry", "step_regularity", "stride_regularity", ""};
  SEXP list = PROTECT(columns(names, count));
  for (int64_t i = 0; i < count; i += 1) {
    const pedometer_gait one = gait[i];
    set(list, i, (double[]){
      one.start, one.end, (double)one.steps, (double)one.strides, one.cadence, one.cadence_deviation, one.step_time,
      one.step_time_deviation, one.stride_time, one.stride_time_deviation, one.asymmetry, one.step_regularity,
      one.stride_regularity});
  }
  UNPROTECT(1);
  return list;
}

SEXP count_gait_bouts(SEXP pointer) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  int64_t count = 0;
  int32_t code = pedometer_gait_bouts(counting->handle, NULL, 0, &count);
  if (code != PEDOMETER_OK) return last_failure(code);
  pedometer_gait *bouts = room(count, sizeof *bouts);
  code = pedometer_gait_bouts(counting->handle, bouts, count, &count);
  return code == PEDOMETER_OK ? gaits(bouts, count) : last_failure(code);
}

SEXP count_gait_total(SEXP pointer) {
  counter *counting = (counter *)job_of(pointer);
  if (!counting) return failure(PEDOMETER_USAGE, gone);
  pedometer_gait total;
  const int32_t code = pedometer_gait_total(counting->handle, &total);
  return code == PEDOMETER_OK ? gaits(&total, 1) : last_failure(code);
}
