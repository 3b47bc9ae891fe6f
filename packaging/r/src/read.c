// Reading: a job that reads, calibrates and finds the wear of a whole recording.

#include "read.h"

#include "count.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As many samples are read in a call.
enum { PIECE = 1 << 18 };

typedef struct reading {
  // The first member, so that a pointer to the job is one to the reading.
  job work;
  pedometer_options options;
  char *path;
  pedometer_reader *reader;
  int64_t count, capacity;
  int64_t *times;
  float *axes[3];
  bool calibrates, finds_wear;
  pedometer_calibration calibration;
  uint8_t *worn;
} reading;

static void destroy(job *work) {
  reading *job = (reading *)work;
  pedometer_close(job->reader);
  free_options(&job->options);
  free(job->path);
  free(job->times);
  for (int axis = 0; axis < 3; axis += 1) free(job->axes[axis]);
  free(job->worn);
  free(job);
}

static int32_t fail(reading *job, int32_t code, const char *format, int64_t count) {
  snprintf(job->work.sentence, sizeof job->work.sentence, format, (long long)count);
  return code;
}

static bool grow(void **array, int64_t count, size_t size) {
  void *grown = realloc(*array, (size_t)count * size);
  if (grown) *array = grown;
  return grown != NULL;
}

// Room for as many samples as the recording probably has, of which those read so far are a part; more than those in any case.
static int32_t make_room(reading *job) {
  pedometer_recording known = {.size = sizeof known};
  const int32_t code = pedometer_describe(job->reader, &known);
  if (code != PEDOMETER_OK) return code;
  int64_t capacity = 2 * job->count + PIECE;
  if (known.fraction > 0 && known.fraction <= 1 && job->count > 0) {
    const int64_t expected = (int64_t)((double)job->count / known.fraction * 1.02);
    const int64_t least = job->count + job->count / 8;
    capacity = (expected > least ? expected : least) + PIECE;
  }
  bool fits = grow((void **)&job->times, capacity, sizeof *job->times);
  for (int axis = 0; axis < 3; axis += 1) fits = grow((void **)&job->axes[axis], capacity, sizeof(float)) && fits;
  if (!fits) {
    return fail(job, PEDOMETER_IO, "there is not enough memory for %lld samples; read parts of it, with start and end", capacity);
  }
  job->capacity = capacity;
  return PEDOMETER_OK;
}

static int32_t run(job *work) {
  reading *job = (reading *)work;
  int32_t code = pedometer_open(&job->options, job->path, &job->reader);
  while (code == PEDOMETER_OK && !atomic_load(&work->is_stopped)) {
    if (job->count == job->capacity && (code = make_room(job)) != PEDOMETER_OK) break;
    const int64_t fits = job->capacity - job->count;
    int64_t count = 0;
    code = pedometer_read(
      job->reader, job->times + job->count, job->axes[0] + job->count, job->axes[1] + job->count,
      job->axes[2] + job->count, fits < PIECE ? fits : PIECE, &count);
    if (code != PEDOMETER_OK || count == 0) break;
    job->count += count;
    // A data frame has no more rows.
    if (job->count > INT32_MAX) {
      return fail(job, PEDOMETER_USAGE, "the recording has more than %lld samples; read parts of it, with start and end", INT32_MAX);
    }
  }
  float *x = job->axes[0], *y = job->axes[1], *z = job->axes[2];
  if (code == PEDOMETER_OK && job->calibrates && !atomic_load(&work->is_stopped)) {
    job->calibration.size = sizeof job->calibration;
    code = pedometer_calibrate(job->times, x, y, z, job->count, &job->calibration);
  }
  if (code == PEDOMETER_OK && job->finds_wear && !atomic_load(&work->is_stopped)) {
    job->worn = malloc((size_t)job->count + 1);
    if (!job->worn) {
      return fail(job, PEDOMETER_IO, "there is not enough memory for %lld samples; read parts of it, with start and end", job->count);
    }
    code = pedometer_wear(job->times, x, y, z, job->count, job->worn);
  }
  return code;
}

static SEXP number(double value) { return Rf_ScalarReal(isnan(value) ? NA_REAL : value); }

static SEXP description(reading *job) {
  pedometer_recording known = {.size = sizeof known};
  const int32_t code = pedometer_describe(job->reader, &known);
  if (code != PEDOMETER_OK) return last_failure(code);
  const char *names[] = {
    "format", "unit", "clock", "utc_offset", "time_zone", "start", "end", "nominal_frequency", "sampling_frequency",
    "samples", "samples_outside", "rows_skipped", "damaged_parts", "gaps", "gap_duration", "maker", "model", "serial",
    "firmware", "range", "warnings", ""};
  static const char *clocks[] = {"none", "local", "utc"};
  SEXP list = PROTECT(named_list(names));
  SET_VECTOR_ELT(list, 0, text(known.format ? known.format : ""));
  SET_VECTOR_ELT(list, 1, text(known.unit));
  SET_VECTOR_ELT(list, 2, text(known.clock >= 0 && known.clock <= 2 ? clocks[known.clock] : NULL));
  SET_VECTOR_ELT(list, 3, Rf_ScalarReal(known.has_utc_offset ? (double)known.utc_offset : NA_REAL));
  SET_VECTOR_ELT(list, 4, text(NULL));
  SET_VECTOR_ELT(list, 5, text(known.start));
  SET_VECTOR_ELT(list, 6, text(known.end));
  SET_VECTOR_ELT(list, 7, number(known.nominal_frequency));
  SET_VECTOR_ELT(list, 8, number(known.sampling_frequency));
  const double counts[] = {
    (double)known.samples, (double)known.samples_outside, (double)known.rows_skipped, (double)known.damaged_parts,
    (double)known.gaps, known.gap_duration};
  for (int i = 0; i < 6; i += 1) SET_VECTOR_ELT(list, 9 + i, Rf_ScalarReal(counts[i]));
  SET_VECTOR_ELT(list, 15, text(known.maker));
  SET_VECTOR_ELT(list, 16, text(known.model));
  SET_VECTOR_ELT(list, 17, text(known.serial));
  SET_VECTOR_ELT(list, 18, text(known.firmware));
  SET_VECTOR_ELT(list, 19, number(known.range));
  SEXP warnings = Rf_allocVector(STRSXP, known.warnings);
  SET_VECTOR_ELT(list, 20, warnings);
  for (int64_t i = 0; i < known.warnings; i += 1) {
    const char *warning = pedometer_reader_warning(job->reader, i);
    SET_STRING_ELT(warnings, i, Rf_mkCharCE(warning ? warning : "", CE_UTF8));
  }
  UNPROTECT(1);
  return list;
}

static SEXP fit(const pedometer_calibration *found) {
  const char *names[] = {"outcome", "gain", "offset", "error_before", "error_after", "intervals", ""};
  SEXP list = PROTECT(named_list(names));
  SET_VECTOR_ELT(list, 0, Rf_ScalarInteger(found->outcome));
  for (int member = 1; member <= 2; member += 1) {
    SET_VECTOR_ELT(list, member, Rf_allocVector(REALSXP, 3));
    memcpy(REAL(VECTOR_ELT(list, member)), member == 1 ? found->gain : found->offset, 3 * sizeof(double));
  }
  SET_VECTOR_ELT(list, 3, number(found->error_before));
  SET_VECTOR_ELT(list, 4, number(found->error_after));
  SET_VECTOR_ELT(list, 5, Rf_ScalarInteger(found->intervals));
  UNPROTECT(1);
  return list;
}

SEXP read_create(SEXP list, SEXP path, SEXP calibrates, SEXP finds_wear) {
  job_sweep();
  reading *job = calloc(1, sizeof *job);
  if (!job) return failure(PEDOMETER_IO, "there is not enough memory; end other programs, then try again");
  job_begin(&job->work, destroy);
  SEXP pointer = PROTECT(job_pointer(&job->work));
  job->options = copied_options(list);
  job->path = copied_string(path);
  job->calibrates = Rf_asLogical(calibrates) == TRUE;
  job->finds_wear = Rf_asLogical(finds_wear) == TRUE;
  UNPROTECT(1);
  return pointer;
}

SEXP read_all(SEXP pointer) {
  reading *job = (reading *)job_of(pointer);
  if (!job) return failure(PEDOMETER_USAGE, "the reader is closed; read the recording again");
  SEXP failed = job_run(&job->work, run, R_NilValue);
  if (failed != R_NilValue) return failed;

  const char *names[] = {"time", "x", "y", "z", "wear", "metadata", "calibration", ""};
  SEXP list = PROTECT(named_list(names));
  SET_VECTOR_ELT(list, 5, description(job));
  if (job->calibrates) SET_VECTOR_ELT(list, 6, fit(&job->calibration));
  // R has no single precision. Each array is freed as soon as it is copied, so that both are never there as a whole.
  const int64_t count = job->count;
  SET_VECTOR_ELT(list, 0, Rf_allocVector(REALSXP, count));
  double *values = REAL(VECTOR_ELT(list, 0));
  for (int64_t i = 0; i < count; i += 1) values[i] = seconds_of(job->times[i]);
  free(job->times);
  job->times = NULL;
  for (int axis = 0; axis < 3; axis += 1) {
    SET_VECTOR_ELT(list, 1 + axis, Rf_allocVector(REALSXP, count));
    values = REAL(VECTOR_ELT(list, 1 + axis));
    for (int64_t i = 0; i < count; i += 1) values[i] = job->axes[axis][i];
    free(job->axes[axis]);
    job->axes[axis] = NULL;
  }
  if (job->worn) {
    SET_VECTOR_ELT(list, 4, Rf_allocVector(LGLSXP, count));
    int *worn = LOGICAL(VECTOR_ELT(list, 4));
    for (int64_t i = 0; i < count; i += 1) worn[i] = job->worn[i] != 0;
  }
  UNPROTECT(1);
  return list;
}
