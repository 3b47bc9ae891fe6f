pedometer_myfun <- function(sample_rate = 50, colnames = "step_count", ...) {
  if (!is.numeric(sample_rate) || length(sample_rate) != 1 || is.na(sample_rate)) {
    usage_error("sample_rate is %s; give one number of samples per second", what(sample_rate))
  }
  string_option("colnames", colnames)
  more <- list(...)
  own <- list(
    # A function of the package, not one that is made here: a worker of a cluster finds it by its name.
    FUN = steps_each_second,
    parameters = list(rate = sample_rate),
    expected_sample_rate = sample_rate,
    expected_unit = "g",
    colnames = colnames,
    outputres = 1,
    minlength = 1,
    outputtype = "numeric",
    aggfunction = sum,
    timestamp = FALSE,
    reporttype = "event"
  )
  if (length(more) > 0 && (is.null(names(more)) || any(names(more) == ""))) {
    usage_error("an element for GGIR's report has no name; give, for example, ilevels = c(0, 100, 250)")
  }
  taken <- intersect(names(more), names(own))
  if (length(taken) > 0) usage_error("%s follows from how steps are counted; leave it out", taken[1])
  # A rate that cannot be counted is an error here, not in the first file of a study.
  .Call(C_release, counter("g", sample_rate)$handle)
  c(own, more)
}

# GGIR calls this with about a day of samples in g, as a matrix with the columns x, y and z, which may follow a column of times.
steps_each_second <- function(data, parameters) {
  if (is.data.frame(data)) data <- as.matrix(data)
  if (!is.numeric(data) || !is.matrix(data) || !ncol(data) %in% 3:4) {
    usage_error("data is %s; give a numeric matrix with the columns x, y and z, as GGIR does", what(data))
  }
  rate <- parameters$rate
  # Resampling may lose the last sample of a block.
  seconds <- as.integer(round(nrow(data) / rate))
  counts <- numeric(seconds)
  if (seconds == 0) return(counts)
  # The times in the first column follow from the rate, and say nothing more.
  if (ncol(data) == 4) data <- data[, 2:4, drop = FALSE]
  is_finite <- is.finite(rowSums(data))
  lost <- sum(!is_finite)
  times <- NULL
  if (lost > 0) {
    warning(
      sprintf("samples with a value that is not finite are left out: %d of %d; look for damage in the recording", lost, nrow(data)),
      call. = FALSE
    )
    times <- (which(is_finite) - 1) / rate
    data <- data[is_finite, , drop = FALSE]
  }
  # A sensor that lies still, and what GGIR fills a gap with. The library takes such a recording for a fault, which a part of one
  # is not.
  if (nrow(data) < 2 || all(data[, 1] == data[1, 1]) && all(data[, 2] == data[1, 2]) && all(data[, 3] == data[1, 3])) {
    return(counts)
  }
  # GGIR gives up a whole recording for an error in a day of it.
  walk <- tryCatch(steps(times, data, units = "g", rate = rate), pedometer_recording_error = identity)
  if (inherits(walk, "error")) {
    warning("pedometer: no steps are counted in a part: ", conditionMessage(walk), call. = FALSE)
    return(counts)
  }
  .Call(C_release, walk$handle)
  for (doubt in walk$warnings) warning("pedometer: ", doubt, call. = FALSE)
  first <- if (lost > 0) times[1] else 0
  # No step is lost, also not one after the last whole second.
  second <- pmin(floor(first + walk$step_times) + 1, seconds)
  counts + tabulate(second, seconds)
}
