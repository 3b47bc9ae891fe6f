#ifndef READ_H
#define READ_H

#include "job.h"

SEXP read_create(SEXP list, SEXP path, SEXP calibrates, SEXP finds_wear);
SEXP read_all(SEXP pointer);

#endif
