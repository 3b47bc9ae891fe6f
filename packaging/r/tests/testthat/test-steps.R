test_that("a matrix has the steps of its file", {
  for (path in c(day(), vapply(walks, walk_file, ""))) {
    rows <- rows_of(path)
    expect_equal(steps(rows$t, rows$xyz)$step_times, count(path)$step_times, info = path)
  }
})

test_that("a synthetic walk is counted", {
  walk <- steps(NULL, walking(), units = "g", rate = 50)
  expect_equal(walk$steps, 90 * 1.75, tolerance = 0.02)
  expect_equal(walk$mean_cadence, 1.75, tolerance = 0.01)
})

test_that("times may be seconds and POSIXct, and xyz a matrix, integers and a data frame", {
  xyz <- walking()
  t <- (seq_len(nrow(xyz)) - 1) / 50
  expected <- steps(t, xyz, units = "g")
  expect_identical(expected$clock, "none")
  expect_equal(steps(t + 1e6, xyz)$origin, 1e6)
  expect_equal(steps(NULL, xyz, rate = 50)$steps, expected$steps)
  begin <- as.POSIXct("2026-05-06 10:00", tz = "UTC")
  moments <- steps(begin + t, xyz)
  expect_equal(moments$steps, expected$steps)
  expect_equal(moments$origin, begin)
  expect_equal(epochs(moments)$time[2], begin + 60)
  expect_equal(steps(as.POSIXlt(begin + t), xyz)$origin, begin)
  expect_equal(steps(t, as.data.frame(xyz))$steps, expected$steps)
  counts <- round(xyz * 1000)
  storage.mode(counts) <- "integer"
  expect_equal(steps(t, counts, units = "mg")$steps, expected$steps)
})

test_that("the matrix is not changed", {
  xyz <- walking()
  before <- xyz + 0
  steps(NULL, xyz, rate = 50)
  expect_identical(xyz, before)
  xyz[1, 1] <- 5
  expect_identical(xyz[-1, ], before[-1, ])
})

test_that("units are detected, stated and refused", {
  xyz <- walking()
  expected <- steps(NULL, xyz, units = "g", rate = 50)$steps
  expect_equal(steps(NULL, xyz * 9.80665, rate = 50)$steps, expected)
  expect_equal(steps(NULL, xyz * 1000, units = "mg", rate = 50)$steps, expected)
  expect_equal(steps(NULL, xyz * 16384, units = "raw=16384", rate = 50)$steps, expected)
  expect_error(
    steps(NULL, xyz * 9.80665, units = "g", rate = 50), "9.8 g instead of 1 g", class = "pedometer_recording_error"
  )
})

test_that("other shapes and types are refused with what to do", {
  xyz <- walking()
  t <- (seq_len(nrow(xyz)) - 1) / 50
  expect_error(steps(t, t(xyz)), "transpose it: t(xyz)", fixed = TRUE, class = "pedometer_usage_error")
  expect_error(steps(t, xyz[, 1:2]), "2 columns; give three", class = "pedometer_usage_error")
  expect_error(steps(t, as.vector(xyz)), "give a numeric matrix", class = "pedometer_usage_error")
  expect_error(steps(t, "xyz"), "xyz is character", class = "pedometer_usage_error")
  expect_error(steps(t, NULL), "xyz is NULL", class = "pedometer_usage_error")
  expect_error(steps(t, data.frame(a = "x", b = 1, c = 2)), "column a of xyz is character", class = "pedometer_usage_error")
  expect_error(steps(t[-1], xyz), "4499 times; give 4500", class = "pedometer_usage_error")
  expect_error(steps(as.character(t), xyz), "POSIXct", class = "pedometer_usage_error")
  expect_error(steps(Sys.Date() + t, xyz), "POSIXct", class = "pedometer_usage_error")
  expect_error(steps(NULL, xyz), "option rate", class = "pedometer_usage_error")
  expect_error(steps(t[0], xyz[0, ]), "at least one sample", class = "pedometer_recording_error")
  expect_error(steps(NULL, xyz[1:40, ], rate = 50), NA)
  expect_error(steps(NULL, xyz * 0, rate = 50), class = "pedometer_recording_error")
})

test_that("values that cannot be are refused with their row, counted from 1", {
  xyz <- walking()
  t <- (seq_len(nrow(xyz)) - 1) / 50
  missing <- xyz
  missing[1234, 2] <- NA
  expect_error(steps(t, missing), "row 1234 of xyz is (0.1, NA, ", fixed = TRUE, class = "pedometer_recording_error")
  missing[1234, 2] <- Inf
  expect_error(steps(t, missing), "row 1234 of xyz", class = "pedometer_recording_error")
  repeated <- t
  repeated[99] <- repeated[98]
  expect_error(steps(repeated, xyz), "time 99 is", class = "pedometer_recording_error")
  expect_error(steps(rev(t), xyz), "time 2 is", class = "pedometer_recording_error")
  expect_error(steps(as.POSIXct(ifelse(t == 1, NA, t), origin = "1970-01-01"), xyz), "time 51 is",
               class = "pedometer_recording_error")
})

test_that("pieces have the steps of the whole", {
  xyz <- walking()
  whole <- steps(NULL, xyz, units = "g", rate = 50)
  pieces <- counter(units = "g", rate = 50)
  expect_output(print(pieces), "<Counter>", fixed = TRUE)
  for (first in seq(1, nrow(xyz), 999)) process(pieces, NULL, xyz[first:min(first + 998, nrow(xyz)), ])
  expect_lte(so_far(pieces)$steps, whole$steps)
  walk <- finish(pieces)
  expect_equal(walk$step_times, whole$step_times)
  expect_equal(walk$samples, nrow(xyz))
  expect_error(process(pieces, NULL, xyz), class = "pedometer_usage_error")
  expect_error(process(1, NULL, xyz), "make one with counter\\(\\)", class = "pedometer_usage_error")
  # The walk outlives that.
  expect_error(counter(units = "furlongs"), class = "pedometer_usage_error")
})

test_that("a call with a wrong value counts nothing, and the counter goes on", {
  xyz <- walking()
  wrong <- xyz
  wrong[17, 1] <- NaN
  counting <- counter(units = "g", rate = 50)
  expect_error(process(counting, NULL, wrong), "row 17", class = "pedometer_recording_error")
  process(counting, NULL, xyz)
  expect_equal(finish(counting)$step_times, steps(NULL, xyz, units = "g", rate = 50)$step_times)
})
