# The recordings of the repository, and synthetic ones.

fixture <- function(...) {
  folder <- Sys.getenv("PEDOMETER_FIXTURES")
  path <- file.path(folder, ...)
  if (folder == "" || !file.exists(path)) skip("PEDOMETER_FIXTURES does not name the folder Fixtures of the repository")
  path
}

# The synthetic walks of the repository.
walks <- c(
  "bouts-and-teeth", "foot-100hz", "gravity-removed", "hand-25hz", "lower-back-lost-samples", "pocket-100hz-jitter", "ten-hertz",
  "wrist-50hz"
)

walk_file <- function(name) fixture("reference", paste0(name, ".csv.gz"))

# The times of the steps that the repository's own tests find in a synthetic walk, in seconds.
validated_steps <- function(name) {
  line <- readLines(fixture("reference", "validated", paste0(name, "-as-it-is.txt")), 1)
  as.numeric(strsplit(line, " ")[[1]][-1]) / 1000
}

# What `make demo` counts.
day_steps <- 291

day <- function() fixture("day-in-five-minutes.csv.gz")

# The rows of a recording of the repository, as R itself reads them.
rows_of <- function(path) {
  lines <- readLines(path)
  table <- read.csv(text = lines[grepl("^[-0-9.]", lines)], header = FALSE)
  list(t = table[[1]], xyz = as.matrix(table[2:4]))
}

# A file in the folder of the session, which R removes.
file_with <- function(content, extension = ".csv") {
  path <- tempfile(fileext = extension)
  if (is.raw(content)) writeBin(content, path) else writeLines(content, path)
  path
}

# A walk of a minute and a half at 1.75 steps a second, in g.
walking <- function(seconds = 90, rate = 50) {
  t <- seq(0, by = 1 / rate, length.out = seconds * rate)
  cbind(x = 0.1, y = 0, z = 1 + 0.3 * sin(2 * pi * 1.75 * t))
}

# A recording whose times begin at a moment, written as ISO 8601 with milliseconds and a suffix for the zone.
clock_csv <- function(first, suffix = "", count = 500) {
  milliseconds <- (seq_len(count) - 1) * 20
  seconds <- as.POSIXct(first, tz = "UTC") + milliseconds %/% 1000
  sprintf(
    "%s.%03d%s,%.2f,0.1,%.2f", format(seconds, "%Y-%m-%dT%H:%M:%S"), as.integer(milliseconds %% 1000), suffix,
    0.01 * (seq_len(count) %% 7), 0.9 + 0.01 * (seq_len(count) %% 5)
  )
}

gains <- c(1.03, 0.97, 1.01)
offsets <- c(0.02, -0.03, 0.01)

# An hour and a half of wear, as long on a table, and again of wear, at 10 Hz in g, as a bad sensor shows it.
wearing <- function() {
  set.seed(1)
  seconds <- seq(0, by = 0.1, length.out = 4.5 * 3600 * 10)
  directions <- matrix(rnorm(3000), ncol = 3)
  directions <- directions / sqrt(rowSums(directions^2))
  is_still <- seconds >= 5400 & seconds < 10800
  true <- directions[ifelse(is_still, 1000, seconds %/% 30 + 1), ]
  measured <- true + rnorm(length(true), sd = 0.002)
  cbind(seconds, sweep(sweep(measured, 2, offsets), 2, gains, "/"))
}
