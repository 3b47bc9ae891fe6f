test_that("a recording is a data frame of its samples", {
  path <- day()
  recording <- read(path)
  expect_s3_class(recording, c("pedometer_recording", "data.frame"), exact = TRUE)
  expect_identical(dim(recording), c(15000L, 4L))
  expect_named(recording, c("time", "x", "y", "z"))
  expect_equal(recording$time[1:3], c(0, 0.02, 0.04))
  rows <- rows_of(path)
  expect_equal(recording$x, rows$xyz[, 1], tolerance = 1e-6, ignore_attr = TRUE)
  expect_equal(recording$time, rows$t, tolerance = 1e-9)
  metadata <- attr(recording, "metadata")
  expect_identical(metadata[c("format", "unit", "clock")], list(format = "csv", unit = "g", clock = "none"))
  expect_equal(metadata$samples, 15000)
  expect_identical(metadata$serial, NA_character_)
  expect_null(metadata$calibration)
  expect_identical(attr(recording, "warnings"), character())
  expect_output(print(recording), "<Recording: 15000 samples at 50 Hz, csv>", fixed = TRUE)
  expect_output(print(recording, n = 2), "... and 14998 more rows", fixed = TRUE)
  expect_output(print(recording[1:3, ]), "0.04")
})

test_that("what was read can be counted", {
  path <- day()
  recording <- read(path)
  expect_equal(steps(recording$time, recording[c("x", "y", "z")], units = "g")$step_times, count(path)$step_times)
})

test_that("parts are read", {
  path <- day()
  part <- read(path, start = "60", end = "120")
  expect_equal(nrow(part), 3000)
  expect_gte(attr(part, "metadata")$samples_outside, 3000)
})

test_that("times are in UTC, local or seconds", {
  utc <- read(file_with(c("time,x,y,z", clock_csv("2026-05-06 10:00", "+02:00"))))
  expect_equal(utc$time[1:2], as.POSIXct("2026-05-06 08:00", tz = "UTC") + c(0, 0.02))
  expect_identical(attr(utc, "metadata")$clock, "utc")
  expect_equal(attr(utc, "metadata")$utc_offset, 7200)
  path <- file_with(c("time,x,y,z", clock_csv("2026-05-06 10:00")))
  local <- read(path)
  expect_equal(local$time[1], as.POSIXct("2026-05-06 10:00", tz = "UTC"))
  expect_identical(attr(local, "metadata")$clock, "local")
  expect_identical(attr(local, "metadata")$utc_offset, NA_real_)
  berlin <- read(path, tz = "Europe/Berlin")
  expect_equal(berlin$time[1], as.POSIXct("2026-05-06 10:00", tz = "Europe/Berlin"))
  expect_identical(format(berlin$time[1]), "2026-05-06 10:00:00")
  known <- attr(berlin, "metadata")
  expect_identical(
    known[c("clock", "time_zone", "start", "end")],
    list(clock = "utc", time_zone = "Europe/Berlin", start = "2026-05-06T10:00:00+02:00", end = "2026-05-06T10:00:09.980+02:00")
  )
  expect_equal(read(path, tz = "-03:30")$time[1], as.POSIXct("2026-05-06 13:30", tz = "UTC"))
  expect_equal(read(path, tz = "UTC")$time[1], as.POSIXct("2026-05-06 10:00", tz = "UTC"))
})

test_that("the offset is that at the first sample", {
  # The recorder runs on when the clocks change at 03:00.
  recording <- read(file_with(c("time,x,y,z", clock_csv("2026-03-29 01:59:55"))), tz = "Europe/Berlin")
  expect_identical(attr(recording$time, "tzone"), "Europe/Berlin")
  expect_equal(as.numeric(recording$time[1]), as.numeric(as.POSIXct("2026-03-29 00:59:55", tz = "UTC")))
  expect_equal(as.numeric(recording$time[500]), as.numeric(as.POSIXct("2026-03-29 01:00:04.98", tz = "UTC")))
  expect_identical(attr(recording, "metadata")$end, "2026-03-29T03:00:04.980+02:00")
  # Shown twice: the first time.
  recording <- read(file_with(c("time,x,y,z", clock_csv("2026-10-25 02:30:00"))), tz = "Europe/Berlin")
  expect_equal(as.numeric(recording$time[1]), as.numeric(as.POSIXct("2026-10-25 00:30:00", tz = "UTC")))
})

test_that("tz is doubted where there is no day, and an unknown zone is an error that names it", {
  path <- file_with(c("t,x,y,z", sprintf("%.2f,0.1,%.2f,1", seq_len(500) / 50, seq_len(500) %% 7 / 10)))
  expect_match(attr(read(path, tz = "+01:00"), "warnings"), "tz was not used")
  for (tz in c("Mars/Olympus", "Europe", "", "../etc/passwd", "/etc/passwd", "+25:00", "CEST?")) {
    expect_error(read(path, tz = tz), sprintf("tz '%s' is unknown", tz), fixed = TRUE, class = "pedometer_usage_error")
  }
  expect_error(read(path, tz = 1), class = "pedometer_usage_error")
})

test_that("calibration finds the sensor's gain and offset, and wear when it was worn", {
  rows <- wearing()
  path <- file_with(sprintf("%.1f,%.5f,%.5f,%.5f", rows[, 1], rows[, 2], rows[, 3], rows[, 4]))
  raw <- read(path)
  recording <- read(path, calibrate = TRUE, wear = TRUE)
  found <- attr(recording, "metadata")$calibration
  expect_true(found$applied)
  expect_identical(found$reason, "")
  expect_equal(found$gain, gains, tolerance = 0.002)
  expect_equal(found$offset, offsets, tolerance = 0.06)
  expect_lt(found$error_after, found$error_before / 5)
  expect_equal(recording$x, raw$x * found$gain[1] + found$offset[1], tolerance = 1e-6)
  expect_type(recording$wear, "logical")
  hours <- rows[, 1] / 3600
  expect_true(all(recording$wear[hours < 1.4 | hours > 3.1]))
  expect_false(any(recording$wear[hours > 1.8 & hours < 2.7]))
})

test_that("says why nothing was calibrated", {
  path <- file_with(sprintf("%.2f,0.1,%.2f,1", seq_len(500) / 50, seq_len(500) %% 7 / 10))
  recording <- read(path, calibrate = TRUE)
  found <- attr(recording, "metadata")$calibration
  expect_false(found$applied)
  expect_match(found$reason, "fewer than ten intervals")
  expect_identical(attr(recording, "warnings"), paste("not calibrated:", found$reason))
  expect_identical(recording$x, read(path)$x)
})

test_that("errors are those of count", {
  bad <- ifelse(seq_len(500) %% 3 == 0, sprintf("%.2f,0.01,0.1,0.95", seq_len(500) / 50), "bad,bad,bad,bad")
  for (path in c(
    "none.csv", tempdir(), file_with(character()), file_with("hello"), file_with(c("t,x,y,z", bad)),
    file_with(as.raw(rep(0:255, 9)), ".bin")
  )) {
    expected <- expect_error(count(path), class = "pedometer_error")
    found <- expect_error(read(path), class = "pedometer_error")
    expect_identical(class(found), class(expected))
    expect_identical(conditionMessage(found), conditionMessage(expected))
  }
  path <- file_with(clock_csv("2026-05-06 10:00"))
  for (arguments in list(
    list(NULL), list(path, calibrate = 1), list(path, calibrate = "yes"), list(path, wear = NULL), list(path, units = 1),
    list(path, start = 5), list(path, rate = "fast"), list(path, units = "furlongs")
  )) {
    expect_error(do.call(read, arguments), class = "pedometer_usage_error", info = deparse(arguments))
  }
})

test_that("files are closed and memory is freed", {
  skip_if_not(dir.exists("/proc/self/fd"))
  resident <- function() as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][2]) * 4096
  rows <- wearing()
  path <- file_with(sprintf("%.1f,%.5f,%.5f,%.5f", rows[, 1], rows[, 2], rows[, 3], rows[, 4]))
  bad <- file_with(c("t,x,y,z", rep("bad,bad,bad,bad", 100)))
  read(path, calibrate = TRUE, wear = TRUE)
  gc()
  files <- length(list.files("/proc/self/fd"))
  before <- resident()
  for (i in 1:10) {
    recording <- read(path, calibrate = TRUE, wear = TRUE)
    expect_error(read(bad), class = "pedometer_recording_error")
  }
  gc()
  expect_equal(length(list.files("/proc/self/fd")), files)
  # The arrays of each have 9 MB.
  expect_lt(resident() - before, 45e6)
})
