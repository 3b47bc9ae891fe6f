#include "job.h"

#include <R_ext/Utils.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Jobs that were released while their threads ran. Only R's thread uses the list.
static job *orphans = NULL;

void job_begin(job *work, void (*destroy)(job *)) {
  pthread_mutex_init(&work->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  // The clock that nobody sets.
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&work->ended, &attributes);
  pthread_condattr_destroy(&attributes);
  work->destroy = destroy;
}

static void job_free(job *work) {
  if (work->kept) R_ReleaseObject(work->kept);
  pthread_cond_destroy(&work->ended);
  pthread_mutex_destroy(&work->mutex);
  work->destroy(work);
}

static bool is_running(job *work) {
  pthread_mutex_lock(&work->mutex);
  const bool running = work->is_running;
  pthread_mutex_unlock(&work->mutex);
  return running;
}

void job_sweep(void) {
  for (job **place = &orphans; *place;) {
    job *work = *place;
    if (is_running(work)) {
      place = &work->next;
    } else {
      *place = work->next;
      job_free(work);
    }
  }
}

void job_release(SEXP pointer) {
  job *work = R_ExternalPtrAddr(pointer);
  if (!work) return;
  R_ClearExternalPtr(pointer);
  if (is_running(work)) {
    atomic_store(&work->is_stopped, true);
    work->next = orphans;
    orphans = work;
  } else {
    job_free(work);
  }
}

SEXP job_pointer(job *work) {
  // An allocation that fails jumps, so the pointer is there before it owns the job.
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, job_release, FALSE);
  R_SetExternalPtrAddr(pointer, work);
  UNPROTECT(1);
  return pointer;
}

job *job_of(SEXP pointer) { return TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL; }

static void *run_job(void *argument) {
  job *work = argument;
  const int32_t code = work->run(work);
  // The library's sentence belongs to this thread.
  if (code != PEDOMETER_OK && !work->sentence[0]) {
    strncpy(work->sentence, pedometer_error(), sizeof work->sentence - 1);
  }
  pthread_mutex_lock(&work->mutex);
  work->code = code;
  work->is_running = false;
  pthread_cond_signal(&work->ended);
  pthread_mutex_unlock(&work->mutex);
  return NULL;
}

SEXP job_run(job *work, int32_t (*run)(job *), SEXP kept) {
  job_sweep();
  if (work->kept) R_ReleaseObject(work->kept);
  work->kept = NULL;
  R_PreserveObject(kept);
  work->kept = kept;
  work->run = run;
  work->sentence[0] = 0;
  work->is_running = true;

  // Signals are R's, and its handlers expect R's thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, NULL, run_job, work);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error) {
    work->is_running = false;
    return failure(PEDOMETER_IO, "no thread can be started; end other programs, then try again");
  }
  pthread_detach(thread);

  for (;;) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 50 * 1000 * 1000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec += 1;
    }
    pthread_mutex_lock(&work->mutex);
    int waited = 0;
    while (work->is_running && waited != ETIMEDOUT) waited = pthread_cond_timedwait(&work->ended, &work->mutex, &until);
    const bool running = work->is_running;
    pthread_mutex_unlock(&work->mutex);
    if (!running) break;
    R_CheckUserInterrupt();
  }
  R_ReleaseObject(work->kept);
  work->kept = NULL;
  return work->code == PEDOMETER_OK ? R_NilValue : failure(work->code, work->sentence);
}

SEXP named_list(const char **names) {
  R_xlen_t count = 0;
  while (names[count][0]) count += 1;
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
  SEXP labels = PROTECT(Rf_allocVector(STRSXP, count));
  for (R_xlen_t i = 0; i < count; i += 1) SET_STRING_ELT(labels, i, Rf_mkChar(names[i]));
  Rf_setAttrib(list, R_NamesSymbol, labels);
  UNPROTECT(2);
  return list;
}

SEXP text(const char *words) {
  SEXP string = PROTECT(words ? Rf_mkCharCE(words, CE_UTF8) : NA_STRING);
  SEXP value = Rf_ScalarString(string);
  UNPROTECT(1);
  return value;
}

SEXP failure(int32_t code, const char *sentence) {
  const char *names[] = {"code", "message", ""};
  SEXP list = PROTECT(named_list(names));
  SET_VECTOR_ELT(list, 0, Rf_ScalarInteger(code));
  SET_VECTOR_ELT(list, 1, text(sentence && sentence[0] ? sentence : "no reason is known"));
  SEXP class = PROTECT(Rf_mkString("pedometer_failure"));
  Rf_setAttrib(list, R_ClassSymbol, class);
  UNPROTECT(2);
  return list;
}

SEXP last_failure(int32_t code) { return failure(code, pedometer_error()); }

char *copied_string(SEXP value) {
  return value == R_NilValue ? NULL : strdup(CHAR(STRING_ELT(value, 0)));
}

// R makes the list, in the order of its function options().
pedometer_options copied_options(SEXP list) {
  pedometer_options options = {.size = sizeof options};
  options.units = copied_string(VECTOR_ELT(list, 0));
  options.rate = Rf_asReal(VECTOR_ELT(list, 1));
  options.height = Rf_asReal(VECTOR_ELT(list, 2));
  options.step_length = Rf_asReal(VECTOR_ELT(list, 3));
  options.input_format = copied_string(VECTOR_ELT(list, 4));
  options.columns = copied_string(VECTOR_ELT(list, 5));
  options.start = copied_string(VECTOR_ELT(list, 6));
  options.end = copied_string(VECTOR_ELT(list, 7));
  options.entry = copied_string(VECTOR_ELT(list, 8));
  options.gait = Rf_asLogical(VECTOR_ELT(list, 9)) == TRUE;
  options.profile = copied_string(VECTOR_ELT(list, 10));
  options.walking = Rf_asLogical(VECTOR_ELT(list, 11)) == TRUE;
  return options;
}

void free_options(pedometer_options *options) {
  free((char *)options->units);
  free((char *)options->input_format);
  free((char *)options->columns);
  free((char *)options->start);
  free((char *)options->end);
  free((char *)options->entry);
  free((char *)options->profile);
}
