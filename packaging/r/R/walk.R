# What was counted: the library's figures, and the handle for what is computed from it.
walk <- function(handle, uses_moments = FALSE) {
  known <- check(.Call(C_count_totals, handle))
  known$clock <- "none"
  if (uses_moments) {
    known$clock <- "utc"
    known$origin <- as_moment(known$origin)
  } else if (!is.na(known$zero)) {
    zero <- parse_moment(known$zero)
    known$clock <- zero$clock
    known$origin <- zero$moment
  }
  known$zero <- NULL
  known$cadence_per_minute <- known$mean_cadence * 60
  known$handle <- handle
  structure(known, class = "pedometer_walk")
}

epochs <- function(walk, length = 60) {
  check_walk(walk)
  if (!is.numeric(length) || base::length(length) != 1) usage_error("length is %s; give one number of seconds", what(length))
  frame_of(walk, .Call(C_count_epochs, walk$handle, as.double(length)))
}

bouts <- function(walk) {
  check_walk(walk)
  frame_of(walk, .Call(C_count_bouts, walk$handle))
}

gait <- function(walk) {
  check_walk(walk)
  frame_of(walk, .Call(C_count_gait_bouts, walk$handle))
}

gait_total <- function(walk) {
  check_walk(walk)
  data_frame(per_minute(check(.Call(C_count_gait_total, walk$handle))))
}

# A data frame, with the time of day of each row where the recording names it.
frame_of <- function(walk, columns) {
  columns <- per_minute(check(columns))
  if (inherits(walk$origin, "POSIXct")) columns <- c(list(time = walk$origin + columns$start), columns)
  data_frame(columns)
}

# The columns, and behind the cadence in steps per second the one in steps a minute.
per_minute <- function(columns) {
  append(columns, list(cadence_per_minute = columns$cadence * 60), match("cadence", names(columns)))
}

# Columns of the same length, without the copies that data.frame() makes.
data_frame <- function(columns, class = NULL) {
  structure(columns, class = c(class, "data.frame"), row.names = .set_row_names(length(columns[[1]])))
}

check_walk <- function(walk) {
  if (!inherits(walk, "pedometer_walk")) usage_error("walk is %s; give what count(), steps() or finish() returned", what(walk))
}

print.pedometer_walk <- function(x, ...) {
  cadence <- if (is.nan(x$mean_cadence)) "" else sprintf(" at %.0f steps/min", x$cadence_per_minute)
  cat(sprintf("<Walk: %.0f steps, %.0f m%s, %.0f s recorded>\n", x$steps, x$distance_travelled, cadence, x$duration))
  print_warnings(x$warnings)
  invisible(x)
}

print_warnings <- function(warnings) {
  for (warning in warnings) cat(strwrap(paste("warning:", warning), exdent = 2), sep = "\n")
}
