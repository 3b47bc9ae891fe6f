# A pipe that nothing writes to makes a reader wait, as a long recording does.
pipe_of <- function() {
  path <- tempfile()
  if (system2("mkfifo", shQuote(path)) != 0) skip("there is no mkfifo")
  path
}

# The signal of Ctrl-C, to this process, in a while. In parentheses, because R puts an & behind it: without them R would wait for the
# sleep, and the signal could arrive while system() still ignores it.
interrupt_soon <- function() {
  system(sprintf("(sleep 0.5; kill -INT %d)", Sys.getpid()), wait = FALSE)
}

threads <- function() length(list.files("/proc/self/task"))

# Lets what waits for the pipe go on and end.
open_pipe <- function(path) {
  writer <- file(path, "wb", raw = TRUE)
  close(writer)
}

test_that("an interrupt ends counting and reading at once", {
  skip_on_os(c("windows", "mac"))
  before <- threads()
  for (call in list(count, read)) {
    path <- pipe_of()
    interrupt_soon()
    # A signal that is lost is a failure, not a wait without end.
    setTimeLimit(elapsed = 60)
    result <- tryCatch(call(path), interrupt = function(condition) "interrupted")
    setTimeLimit()
    expect_identical(result, "interrupted")
    # What was begun waits for the pipe, and is freed once it ends.
    expect_equal(threads(), before + 1)
    open_pipe(path)
    for (i in 1:100) if (threads() > before) Sys.sleep(0.05)
    expect_equal(threads(), before)
  }
  expect_gt(steps(NULL, walking(), rate = 50)$steps, 100)
})

test_that("a limit of time ends them, too", {
  skip_on_os(c("windows", "mac"))
  path <- pipe_of()
  expect_error(
    {
      setTimeLimit(elapsed = 0.5, transient = TRUE)
      count(path)
    },
    "time limit"
  )
  setTimeLimit()
  open_pipe(path)
})

test_that("a session ends while an interrupted count still runs", {
  skip_on_os(c("windows", "mac"))
  path <- pipe_of()
  program <- c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "loadNamespace('pedometer')",
    "setTimeLimit(elapsed = 60)",
    "system(sprintf('(sleep 0.5; kill -INT %d)', Sys.getpid()), wait = FALSE)",
    sprintf("tryCatch(pedometer::count(%s), interrupt = function(condition) cat('interrupted'))", deparse(path))
  )
  script <- file_with(program, ".R")
  said <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE, stderr = TRUE))
  expect_null(attr(said, "status"))
  expect_identical(tail(as.character(said), 1), "interrupted")
})

test_that("counters and walks that nothing refers to are freed", {
  skip_if_not(file.exists("/proc/self/statm"))
  resident <- function() as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][2]) * 4096
  xyz <- walking(600)
  for (i in 1:5) steps(NULL, xyz, rate = 50, gait = TRUE)
  gc()
  before <- resident()
  for (i in 1:50) {
    counting <- counter(rate = 50, gait = TRUE)
    process(counting, NULL, xyz)
    if (i %% 5 == 0) gc()
  }
  rm(counting)
  gc()
  expect_lt(resident() - before, 60e6)
})
