# The command that PEDOMETER names, and the Python that PEDOMETER_PYTHON names, in which `import pedometer` works.

recordings <- function() c(day(), vapply(walks, walk_file, "", USE.NAMES = FALSE))

number <- function(json, name) as.numeric(sub(sprintf('.*"%s":([-0-9.]+).*', name), "\\1", json))

test_that("the figures are those of the command", {
  command <- Sys.getenv("PEDOMETER")
  skip_if(command == "", "PEDOMETER does not name the command")
  for (path in recordings()) {
    printed <- system2(command, c("count", "--format", "json", shQuote(path)), stdout = TRUE, stderr = FALSE)
    walk <- count(path)
    expect_equal(walk$steps, number(printed, "steps"), info = path)
    expect_equal(walk$samples, number(printed, "samples"), info = path)
    expect_equal(walk$gaps, number(printed, "gaps"), info = path)
    expect_equal(walk$distance_travelled, number(printed, "distanceTravelled"), tolerance = 1e-3, info = path)
    expect_equal(walk$walking_duration, number(printed, "walkingDuration"), tolerance = 1e-4, info = path)
    lines <- system2(command, c("count", "--format", "json", "--steps", shQuote(path)), stdout = TRUE, stderr = FALSE)
    expect_equal(walk$step_times, number(lines, "t"), tolerance = 1e-4, info = path)
  }
})

test_that("the counts are those of Python", {
  python <- Sys.getenv("PEDOMETER_PYTHON")
  skip_if(python == "", "PEDOMETER_PYTHON does not name a Python with the package")
  program <- file_with(c(
    "import sys, pedometer",
    "for path in sys.argv[1:]:",
    "    walk = pedometer.count(path, gait=True)",
    "    print(walk.steps, repr(walk.distance_travelled), repr(walk.mean_cadence), repr(walk.confidence), len(walk.warnings))"
  ), ".py")
  paths <- recordings()
  printed <- system2(python, c(shQuote(program), shQuote(paths)), stdout = TRUE)
  expected <- read.table(text = printed)
  for (i in seq_along(paths)) {
    walk <- count(paths[i], gait = TRUE)
    found <- c(walk$steps, walk$distance_travelled, walk$mean_cadence, walk$confidence, length(walk$warnings))
    expect_equal(found, unname(unlist(expected[i, ])), tolerance = 1e-14, info = paths[i])
  }
})
