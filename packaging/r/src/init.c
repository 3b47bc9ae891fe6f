#include "count.h"
#include "read.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

static SEXP version(void) { return text(pedometer_version()); }

static SEXP release(SEXP pointer) {
  if (TYPEOF(pointer) == EXTPTRSXP) job_release(pointer);
  job_sweep();
  return R_NilValue;
}

#define ROUTINE(name, count) {#name, (DL_FUNC)&name, count}

static const R_CallMethodDef routines[] = {
  ROUTINE(version, 0),
  ROUTINE(release, 1),
  ROUTINE(count_create, 1),
  ROUTINE(count_file, 2),
  ROUTINE(count_process, 3),
  ROUTINE(count_finish, 1),
  ROUTINE(count_totals, 1),
  ROUTINE(count_epochs, 2),
  ROUTINE(count_bouts, 1),
  ROUTINE(count_gait_bouts, 1),
  ROUTINE(count_gait_total, 1),
  ROUTINE(read_create, 4),
  ROUTINE(read_all, 1),
  {NULL, NULL, 0}};

attribute_visible void R_init_pedometer(DllInfo *library) {
  R_registerRoutines(library, NULL, routines, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
