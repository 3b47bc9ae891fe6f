test_that("the steps are those of the repository's recordings", {
  expect_equal(count(day())$steps, day_steps)
  for (name in walks) {
    walk <- count(walk_file(name))
    expect_equal(walk$steps, length(validated_steps(name)), info = name)
    expect_lt(max(abs(walk$step_times - validated_steps(name))), 0.001)
  }
})

test_that("a walk has the figures of the recording", {
  walk <- count(day())
  expect_s3_class(walk, "pedometer_walk")
  expect_equal(walk$samples, 15000)
  expect_equal(walk$sampling_frequency, 50)
  expect_equal(walk$duration, 299.98)
  expect_equal(walk$gaps, 0)
  expect_identical(walk$warnings, character())
  expect_identical(c(walk$start, walk$end), c(NA_character_, NA_character_))
  expect_identical(walk$clock, "none")
  expect_length(walk$step_times, walk$steps)
  expect_true(all(diff(walk$step_times) > 0))
  expect_true(all(walk$step_confidences >= 0 & walk$step_confidences <= 1))
  expect_output(print(walk), "<Walk: [0-9]+ steps, [0-9]+ m at [0-9]+ steps/min, 300 s recorded>")
})

test_that("doubts are in the result and are printed", {
  walk <- count(walk_file("gravity-removed"))
  expect_match(walk$warnings[1], "option units")
  expect_output(print(walk), "warning: ")
})

test_that("options are those of the command", {
  part <- count(day(), start = "0", end = "120", step_length = 1)
  expect_lt(part$steps, count(day())$steps)
  expect_equal(part$distance_travelled, part$steps)
  expect_gt(count(day(), height = 2)$distance_travelled, count(day(), height = 1.5)$distance_travelled)
})

test_that("epochs and bouts have all steps", {
  walk <- count(day())
  minutes <- epochs(walk)
  expect_s3_class(minutes, "data.frame")
  expect_named(minutes, c("start", "steps", "distance_travelled", "cadence", "cadence_per_minute", "confidence"))
  expect_equal(minutes$cadence_per_minute, minutes$cadence * 60)
  expect_equal(walk$cadence_per_minute, walk$mean_cadence * 60)
  expect_equal(minutes$start, c(0, 60, 120, 180, 240))
  expect_equal(sum(minutes$steps), walk$steps)
  expect_equal(sum(bouts(walk)$steps), walk$steps)
  expect_equal(nrow(epochs(walk, 10)), 30)
  expect_error(epochs(walk, 0), class = "pedometer_usage_error")
  expect_error(epochs(walk, "a minute"), "one number of seconds", class = "pedometer_usage_error")
  expect_error(epochs(1), "count\\(\\), steps\\(\\) or finish\\(\\)", class = "pedometer_usage_error")
})

test_that("gait is measured where it is asked for", {
  rough <- count(day())
  expect_equal(nrow(gait(rough)), 0)
  walk <- count(day(), gait = TRUE)
  total <- gait_total(walk)
  expect_gt(nrow(gait(walk)), 0)
  expect_equal(sum(gait(walk)$strides), total$strides)
  expect_equal(gait(walk)$stride_time, 2 * gait(walk)$step_time, tolerance = 0.03)
  expect_equal(walk$steps, rough$steps)
  moved <- max(abs(walk$step_times - rough$step_times))
  expect_true(moved > 0 && moved <= 0.07)
})

test_that("times of day are those of the recording", {
  rows <- rows_of(day())
  milliseconds <- round(rows$t[1:6000] * 1000)
  moments <- as.POSIXct("2026-05-06 10:00", tz = "UTC") + milliseconds %/% 1000
  lines <- function(suffix) {
    sprintf("%s.%03d%s,%f,%f,%f", format(moments, "%Y-%m-%dT%H:%M:%S"), as.integer(milliseconds %% 1000), suffix,
            rows$xyz[1:6000, 1], rows$xyz[1:6000, 2], rows$xyz[1:6000, 3])
  }
  stated <- count(file_with(c("time,x,y,z", lines("+02:00"))))
  expect_identical(stated$start, "2026-05-06T10:00:00+02:00")
  expect_identical(stated$clock, "utc")
  expect_equal(epochs(stated)$time[2], as.POSIXct("2026-05-06 08:01", tz = "UTC"))
  local <- count(file_with(c("time,x,y,z", lines(""))))
  expect_identical(local$clock, "local")
  expect_equal(epochs(local)$time[2], as.POSIXct("2026-05-06 10:01", tz = "UTC"))
  expect_equal(bouts(local)$time, local$origin + bouts(local)$start)
})

test_that("files that cannot be counted are refused with what to do", {
  expect_error(count("there/is/none.csv"), "check the name", class = "pedometer_missing_error")
  expect_error(count(tempdir()), "is a directory", class = "pedometer_error")
  expect_error(count(file_with(character())), class = "pedometer_recording_error")
  expect_error(count(file_with("hello")), class = "pedometer_recording_error")
  expect_error(count(file_with(as.raw(0:255), ".bin")), class = "pedometer_recording_error")
  without <- file_with(sprintf("%.1f,0,1", seq_len(500) %% 7 / 10))
  expect_error(count(without), "option rate", class = "pedometer_usage_error")
  expect_equal(count(without, rate = 50)$samples, 500)
  caught <- tryCatch(count("none.csv"), pedometer_error = identity)
  expect_identical(caught$code, 66L)
})

test_that("a file that may not be read is refused", {
  path <- file_with("t,x,y,z")
  Sys.chmod(path, "000")
  skip_if(file.access(path, 4) == 0, "this user may read everything")
  expect_error(count(path), class = "pedometer_denied_error")
})

test_that("a file that was pulled away while it was copied is counted up to its end, with a warning", {
  path <- file_with(readBin(day(), "raw", 90000), ".csv.gz")
  walk <- count(path)
  expect_true(walk$samples > 1000 && walk$samples < 15000)
  expect_gt(length(walk$warnings), 0)
  recording <- read(path)
  expect_equal(nrow(recording), walk$samples)
  expect_identical(recording$x, read(day())$x[seq_len(nrow(recording))])
  expect_gt(length(attr(recording, "warnings")), 0)
})

test_that("a name that is not UTF-8 is opened", {
  target <- day()
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  name <- rawToChar(c(charToRaw(file.path(folder, "caf")), as.raw(0xe9), charToRaw(".csv.gz")))
  expect_identical(system2("ln", c("-s", shQuote(target), shQuote(name))), 0L)
  expect_equal(count(name)$steps, day_steps)
})

test_that("arguments of other types are refused", {
  path <- file_with(clock_csv("2026-05-06 10:00"))
  for (arguments in list(
    list(NULL), list(1), list(c(path, path)), list(NA_character_), list(path, units = 1), list(path, units = "furlongs"),
    list(path, rate = "fast"), list(path, rate = 0), list(path, rate = c(50, 100)), list(path, height = NaN),
    list(path, height = 17), list(path, step_length = -1), list(path, start = 5), list(path, gait = NA), list(path, gait = 1)
  )) {
    expect_error(do.call(count, arguments), class = "pedometer_usage_error", info = deparse(arguments))
  }
  expect_error(count(path, start = 5), "start is numeric; give one string", fixed = TRUE)
})

test_that("a walk that was saved keeps its figures and says what it lacks", {
  path <- tempfile()
  on.exit(unlink(path))
  saveRDS(steps(NULL, walking(), units = "g", rate = 50), path)
  walk <- readRDS(path)
  expect_gt(walk$steps, 100)
  expect_error(epochs(walk), "count the recording again", class = "pedometer_usage_error")
})

test_that("the package has the version of the library", {
  expect_identical(as.character(packageVersion("pedometer")), library_version())
})
