# The classes of errors, by the library's codes, which are the exit codes of the command.
error_classes <- c(
  "64" = "pedometer_usage_error",
  "65" = "pedometer_recording_error",
  "66" = "pedometer_missing_error",
  "74" = "pedometer_read_error",
  "75" = "pedometer_busy_error",
  "77" = "pedometer_denied_error"
)

# Makes an R error of a failure, and returns anything else.
check <- function(value) {
  if (inherits(value, "pedometer_failure")) fail(value$code, value$message)
  value
}

fail <- function(code, message) {
  class <- unname(error_classes[as.character(code)])
  stop(structure(
    class = c(class[!is.na(class)], "pedometer_error", "error", "condition"),
    # Without a call: the sentence is about the recording or an argument, which it names.
    list(message = message, call = NULL, code = as.integer(code))
  ))
}

# The library numbers rows from 0, and R from 1. What it calls a NaN with a payload is R's NA.
from_one <- function(value) {
  if (!inherits(value, "pedometer_failure")) return(value)
  found <- regmatches(value$message, regexec("^(row|time) ([0-9]+) (.*)$", value$message))[[1]]
  if (length(found) > 0) value$message <- sprintf("%s %.0f %s", found[2], as.numeric(found[3]) + 1, found[4])
  value$message <- gsub("s?nan\\(0x[0-9a-f]+\\)", "NA", value$message)
  value
}

usage_error <- function(...) fail(64L, sprintf(...))
recording_error <- function(...) fail(65L, sprintf(...))

# What a value is, for error messages.
what <- function(value) {
  if (is.null(value)) return("NULL")
  kind <- class(value)[1]
  if (length(value) == 1 && is.atomic(value)) {
    if (is.na(value)) return("NA")
    return(kind)
  }
  sprintf("%s of length %d", kind, length(value))
}
