read <- function(path, calibrate = FALSE, wear = FALSE, tz = NULL, units = "auto", rate = NULL, input_format = "auto",
                 columns = NULL, start = NULL, end = NULL, entry = NULL) {
  flag("calibrate", calibrate)
  flag("wear", wear)
  zone_of_wearer <- if (is.null(tz)) NULL else zone(tz)
  given <- options_list(
    units, rate, input_format = input_format, columns = columns, start = start, end = end, entry = entry
  )
  reader <- check(.Call(C_read_create, given, path_option(path), calibrate, wear))
  # The arrays of the library are large; they do not wait for the garbage collector.
  on.exit(.Call(C_release, reader))
  found <- check(.Call(C_read_all, reader))

  metadata <- check(found$metadata)
  warnings <- metadata$warnings
  metadata$warnings <- NULL
  if (calibrate) {
    metadata$calibration <- calibration(found$calibration)
    if (!metadata$calibration$applied) warnings <- c(warnings, paste("not calibrated:", metadata$calibration$reason))
  }

  time <- found$time
  found$time <- NULL
  if (metadata$clock == "local" && length(time) > 0) {
    offset <- metadata$utc_offset
    if (is.na(offset) && !is.null(zone_of_wearer)) offset <- offset_showing(zone_of_wearer, floor(time[1]))
    if (!is.na(offset)) {
      time <- time - offset
      metadata$clock <- "utc"
      metadata$utc_offset <- offset
    }
  }
  if (!is.null(zone_of_wearer)) {
    metadata$time_zone <- tz
    if (metadata$clock == "none") {
      warnings <- c(warnings, "tz was not used, because the recording names no day")
    } else if (metadata$clock == "utc" && length(time) > 0) {
      metadata$start <- clock_text(zone_of_wearer, time[1])
      metadata$end <- clock_text(zone_of_wearer, time[length(time)])
    }
  }
  # R has no zone for an offset.
  is_named <- metadata$clock == "utc" && !is.null(tz) && tz %in% OlsonNames()
  if (metadata$clock != "none") time <- as_moment(time, if (is_named) tz else "UTC")

  columns <- list(time = time, x = found$x, y = found$y, z = found$z)
  if (wear) columns$wear <- found$wear
  recording <- data_frame(columns, "pedometer_recording")
  attr(recording, "metadata") <- metadata
  attr(recording, "warnings") <- warnings
  recording
}

# The outcomes of pedometer_calibrate(), from 0.
obstacles <- c(
  "",
  "the sensor rested in fewer than ten intervals of 10 s; give a longer recording, best of a day or more",
  "the sensor did not rest in both directions of every axis; give a longer recording, best of a day or more",
  "no gain and offset of a sensor bring its rest closer to 1 g; check the unit and that gravity is included"
)

calibration <- function(found) {
  reason <- obstacles[found$outcome + 1]
  list(
    applied = found$outcome == 0, reason = if (is.na(reason)) "no reason is known" else reason,
    gain = found$gain, offset = found$offset, error_before = found$error_before, error_after = found$error_after,
    intervals = found$intervals
  )
}

print.pedometer_recording <- function(x, n = 6, ...) {
  known <- attr(x, "metadata")
  # A selection of columns has no metadata.
  if (!is.null(known)) {
    rate <- if (is.na(known$sampling_frequency)) "" else sprintf(" at %.4g Hz", known$sampling_frequency)
    start <- if (is.na(known$start)) "" else paste(" from", known$start)
    cat(sprintf("<Recording: %d samples%s%s, %s>\n", nrow(x), rate, start, known$format))
  }
  shown <- x[seq_len(min(n, nrow(x))), , drop = FALSE]
  class(shown) <- "data.frame"
  print(shown, ...)
  if (nrow(x) > n) cat(sprintf("... and %d more rows\n", nrow(x) - nrow(shown)))
  print_warnings(attr(x, "warnings"))
  invisible(x)
}
