count <- function(path, units = "auto", rate = NULL, height = NULL, step_length = NULL, input_format = "auto", columns = NULL,
                  start = NULL, end = NULL, entry = NULL, gait = FALSE, profile = NULL, walking = FALSE) {
  path <- path_option(path)
  handle <- check(.Call(C_count_create, options_list(
    units, rate, height, step_length, input_format, columns, start, end, entry, gait, profile, walking
  )))
  # An interrupt and an error leave nothing behind.
  is_complete <- FALSE
  on.exit(if (!is_complete) .Call(C_release, handle))
  check(.Call(C_count_file, handle, path))
  is_complete <- TRUE
  walk(handle)
}

steps <- function(t, xyz, units = "auto", rate = NULL, height = NULL, step_length = NULL, gait = FALSE, profile = NULL,
                  walking = FALSE) {
  counting <- counter(units, rate, height, step_length, gait, profile, walking)
  on.exit(if (!counting$is_finished) .Call(C_release, counting$handle))
  process(counting, t, xyz)
  finish(counting)
}

counter <- function(units = "auto", rate = NULL, height = NULL, step_length = NULL, gait = FALSE, profile = NULL,
                    walking = FALSE) {
  given <- options_list(units, rate, height, step_length, gait = gait, profile = profile, walking = walking)
  counting <- new.env(parent = emptyenv())
  counting$handle <- check(.Call(C_count_create, given))
  counting$is_finished <- FALSE
  counting$uses_moments <- FALSE
  class(counting) <- "pedometer_counter"
  counting
}

process <- function(counter, t, xyz) {
  check_counter(counter)
  xyz <- matrix_option(xyz)
  times <- times_option(t, nrow(xyz))
  is_complete <- FALSE
  # After an interrupt the library goes on with these samples, so the counter is of no use.
  on.exit(if (!is_complete) .Call(C_release, counter$handle))
  result <- .Call(C_count_process, counter$handle, times, xyz)
  is_complete <- TRUE
  check(from_one(result))
  if (inherits(t, c("POSIXct", "POSIXlt"))) counter$uses_moments <- TRUE
  invisible(counter)
}

finish <- function(counter) {
  check_counter(counter)
  check(.Call(C_count_finish, counter$handle))
  counter$is_finished <- TRUE
  walk(counter$handle, counter$uses_moments)
}

so_far <- function(counter) {
  check_counter(counter)
  walk(counter$handle, counter$uses_moments)
}

print.pedometer_counter <- function(x, ...) {
  cat(if (x$is_finished) "<Counter: finished>\n" else "<Counter>\n")
  invisible(x)
}

check_counter <- function(counter) {
  if (!inherits(counter, "pedometer_counter")) usage_error("counter is %s; make one with counter()", what(counter))
}

library_version <- function() .Call(C_version)
