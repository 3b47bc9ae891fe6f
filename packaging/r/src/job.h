// A job runs functions of the library on a thread of its own, so that R can be interrupted meanwhile.
//
// R leaves a C function by longjmp when it is interrupted, and when it lacks memory. So everything that a job uses belongs to the
// job, the job to an external pointer of R, and no C function holds anything else. A job that is released while its thread runs
// becomes an orphan: it is freed by a later call, after its thread has ended.

#ifndef JOB_H
#define JOB_H

// R's short names, such as length and error, are also words.
#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <Rinternals.h>
#include <pedometer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct job {
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool is_running;
  // What runs looks at it between pieces.
  atomic_bool is_stopped;
  // What runs, and its result: a code of the library, and a sentence.
  int32_t (*run)(struct job *);
  int32_t code;
  char sentence[2048];
  // Frees the job.
  void (*destroy)(struct job *);
  // Objects of R that the thread reads.
  SEXP kept;
  struct job *next;
} job;

// Begins a job that nothing runs yet, of memory that is zero.
void job_begin(job *work, void (*destroy)(job *));

// An external pointer that owns the job.
SEXP job_pointer(job *work);

// The job of an external pointer; NULL if it was released, or comes from a file.
job *job_of(SEXP pointer);

// Runs a function on a thread until it ends. Jumps out of here if R is interrupted; the caller in R then releases the job.
// Returns NULL, or the failure as an object of R.
SEXP job_run(job *work, int32_t (*run)(job *), SEXP kept);

// Frees a job, or makes it an orphan.
void job_release(SEXP pointer);

// Frees the orphans whose threads have ended.
void job_sweep(void);

// A failure as an object of R, which check() in R makes an error of.
SEXP failure(int32_t code, const char *sentence);

// The failure of the last call on this thread.
SEXP last_failure(int32_t code);

// A list with names; the last one is "".
SEXP named_list(const char **names);

// Text in UTF-8; NULL is NA.
SEXP text(const char *words);

// A copy of a string in R's list of options, and NULL for NULL.
char *copied_string(SEXP value);

// The options in R's list, with copies of its strings. They are freed by free_options().
pedometer_options copied_options(SEXP list);
void free_options(pedometer_options *options);

#endif
