# What GGIR's documentation says that it does with `myfun`, since GGIR itself may be missing: the elements, the unit, the sampling
# frequency, times in front, blocks of about a day, and the sum of each epoch.
elements <- c("FUN", "parameters", "expected_sample_rate", "expected_unit", "colnames", "minlength", "outputres", "outputtype",
              "aggfunction", "timestamp", "reporttype")

call_as_ggir <- function(myfun, xyz, rate, block = 86400, epoch = 5, with_times = FALSE) {
  expected <- myfun$expected_sample_rate
  blocks <- split(seq_len(nrow(xyz)), (seq_len(nrow(xyz)) - 1) %/% (block * rate))
  unlist(lapply(blocks, function(rows) {
    data <- xyz[rows, , drop = FALSE]
    if (rate != expected) {
      old <- seq_along(rows) / rate
      new <- seq(1 / expected, length(rows) / rate, by = 1 / expected)
      data <- apply(data, 2, function(axis) stats::approx(old, axis, new, rule = 2)$y)
    }
    if (with_times) data <- cbind(1.7e9 + (seq_len(nrow(data)) - 1) / expected, data)
    found <- as.matrix(myfun$FUN(data, myfun$parameters))
    as.vector(tapply(found[, 1], (seq_len(nrow(found)) - 1) %/% (epoch / myfun$outputres), myfun$aggfunction))
  }), use.names = FALSE)
}

test_that("the object has the elements of the contract", {
  myfun <- pedometer_myfun()
  expect_setequal(names(myfun), elements)
  expect_true(is.function(myfun$FUN))
  expect_identical(myfun$expected_unit, "g")
  expect_identical(myfun$colnames, "step_count")
  expect_identical(c(myfun$outputres, myfun$minlength), c(1, 1))
  expect_identical(myfun$outputtype, "numeric")
  expect_identical(myfun$aggfunction, sum)
  expect_identical(myfun$timestamp, FALSE)
  expect_identical(myfun$reporttype, "event")
  expect_identical(pedometer_myfun(30)$expected_sample_rate, 30)
  expect_identical(pedometer_myfun(ilevels = c(0, 100))$ilevels, c(0, 100))
})

test_that("arguments are checked where the object is made", {
  expect_error(pedometer_myfun(1), "5 to 100000", class = "pedometer_usage_error")
  expect_error(pedometer_myfun("50"), class = "pedometer_usage_error")
  expect_error(pedometer_myfun(colnames = c("a", "b")), class = "pedometer_usage_error")
  expect_error(pedometer_myfun(aggfunction = mean), "leave it out", class = "pedometer_usage_error")
  expect_error(pedometer_myfun(50, "steps", c(0, 100)), "has no name", class = "pedometer_usage_error")
})

test_that("each second has its steps, and a block all steps of its recording", {
  path <- day()
  recording <- read(path)
  xyz <- as.matrix(recording[c("x", "y", "z")])
  myfun <- pedometer_myfun(50)
  found <- myfun$FUN(xyz, myfun$parameters)
  expect_length(found, 300)
  expect_equal(sum(found), day_steps)
  expect_equal(found, tabulate(floor(count(path)$step_times) + 1, 300))
  expect_equal(sum(call_as_ggir(myfun, xyz, 50)), day_steps)
  expect_length(call_as_ggir(myfun, xyz, 50), 60)
  expect_equal(call_as_ggir(myfun, xyz, 50, with_times = TRUE), call_as_ggir(myfun, xyz, 50))
  expect_equal(sum(call_as_ggir(pedometer_myfun(25), xyz, 50)), day_steps, tolerance = 0.02)
  expect_length(call_as_ggir(pedometer_myfun(30), xyz, 50), 60)
})

test_that("a boundary within a walk costs at most four steps", {
  recording <- read(day())
  xyz <- as.matrix(recording[c("x", "y", "z")])
  myfun <- pedometer_myfun(50)
  lost <- vapply(seq(15, 285, 15), function(second) {
    first <- seq_len(second * 50)
    # A part of a recording may be doubtful, such as one in which there is only brushing of teeth.
    suppressWarnings(day_steps - sum(myfun$FUN(xyz[first, ], myfun$parameters)) - sum(myfun$FUN(xyz[-first, ], myfun$parameters)))
  }, 0)
  expect_true(all(lost >= -1 & lost <= 4))
  expect_lt(mean(lost), 1)
})

test_that("a day is counted in two blocks", {
  # Three walks in 26 hours; the second one crosses the boundary.
  rate <- 15
  xyz <- matrix(rep(c(0, 0, 1), each = 26 * 3600 * rate), ncol = 3)
  begins <- c(3600, 86100, 25.5 * 3600)
  for (begin in begins) xyz[begin * rate + seq_len(600 * rate), ] <- walking(600, rate)
  myfun <- pedometer_myfun(rate)
  found <- call_as_ggir(myfun, xyz, rate)
  expect_length(found, 26 * 3600 / 5)
  expect_equal(sum(found), 3 * 600 * 1.75, tolerance = 0.01)
  expect_true(all(found[-unlist(lapply(begins / 5, function(begin) begin + 1:121))] == 0))
})

test_that("a sensor that lies still, a short block and an empty one have no steps", {
  myfun <- pedometer_myfun(50)
  still <- matrix(rep(c(0, 0, 1), each = 3600 * 50), ncol = 3)
  expect_identical(myfun$FUN(still, myfun$parameters), numeric(3600))
  expect_identical(myfun$FUN(still[1, , drop = FALSE], myfun$parameters), numeric(0))
  expect_identical(myfun$FUN(still[0, ], myfun$parameters), numeric(0))
})

test_that("a block without its last sample has as many seconds", {
  myfun <- pedometer_myfun(50)
  xyz <- walking()
  expect_length(myfun$FUN(xyz[-nrow(xyz), ], myfun$parameters), 90)
})

test_that("samples that are not finite are left out, with a warning", {
  myfun <- pedometer_myfun(50)
  xyz <- walking()
  expected <- myfun$FUN(xyz, myfun$parameters)
  xyz[c(1, 1001, 2001), 2] <- c(NA, NaN, Inf)
  expect_warning(found <- myfun$FUN(xyz, myfun$parameters), "left out: 3 of 4500")
  expect_equal(sum(found), sum(expected), tolerance = 0.02)
  expect_equal(which(found > 0), which(expected > 0))
  xyz[] <- NA
  expect_warning(found <- myfun$FUN(xyz, myfun$parameters), "4500 of 4500")
  expect_identical(found, numeric(90))
})

test_that("a wrong unit is a warning, and data of another shape an error", {
  myfun <- pedometer_myfun(50)
  expect_warning(found <- myfun$FUN(walking() * 9.81, myfun$parameters), "g instead of 1 g")
  expect_identical(found, numeric(90))
  expect_error(myfun$FUN(1:10, myfun$parameters), "columns x, y and z", class = "pedometer_usage_error")
  expect_error(myfun$FUN(walking()[, 1:2], myfun$parameters), class = "pedometer_usage_error")
  expect_equal(sum(myfun$FUN(as.data.frame(walking()), myfun$parameters)), sum(myfun$FUN(walking(), myfun$parameters)))
})

test_that("a worker of a cluster finds the function", {
  path <- tempfile()
  on.exit(unlink(path))
  saveRDS(pedometer_myfun(50), path)
  myfun <- readRDS(path)
  expect_identical(environmentName(environment(myfun$FUN)), "pedometer")
  expect_gt(sum(myfun$FUN(walking(), myfun$parameters)), 100)
})
