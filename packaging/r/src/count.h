#ifndef COUNT_H
#define COUNT_H

#include "job.h"

SEXP count_create(SEXP list);
SEXP count_file(SEXP pointer, SEXP path);
SEXP count_process(SEXP pointer, SEXP times, SEXP xyz);
SEXP count_finish(SEXP pointer);
SEXP count_totals(SEXP pointer);
SEXP count_epochs(SEXP pointer, SEXP length);
SEXP count_bouts(SEXP pointer);
SEXP count_gait_bouts(SEXP pointer);
SEXP count_gait_total(SEXP pointer);

double seconds_of(int64_t nanoseconds);

#endif
