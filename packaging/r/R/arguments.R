# The options of a handle or a reader, in the order in which src/job.c takes them.
options_list <- function(units = "auto", rate = NULL, height = NULL, step_length = NULL, input_format = "auto", columns = NULL,
                         start = NULL, end = NULL, entry = NULL, gait = FALSE, profile = NULL, walking = FALSE) {
  list(
    string_option("units", units), number_option("rate", rate), number_option("height", height),
    number_option("step_length", step_length), string_option("input_format", input_format),
    string_option("columns", columns), string_option("start", start), string_option("end", end),
    string_option("entry", entry), flag("gait", gait), string_option("profile", profile), flag("walking", walking)
  )
}

string_option <- function(name, value) {
  if (is.null(value)) return(NULL)
  if (!is.character(value) || length(value) != 1 || is.na(value)) {
    usage_error("%s is %s; give one string", name, what(value))
  }
  enc2utf8(value)
}

# The library takes 0 for "not given".
number_option <- function(name, value) {
  if (is.null(value)) return(0)
  if (!is.numeric(value) || length(value) != 1) usage_error("%s is %s; give one number", name, what(value))
  if (is.na(value)) return(NaN)
  if (value == 0) usage_error("%s is 0; leave it out, or give a value above zero", name)
  as.double(value)
}

flag <- function(name, value) {
  if (!isTRUE(value) && !isFALSE(value)) usage_error("%s is %s; give TRUE or FALSE", name, what(value))
  value
}

# A file's name in the file system's encoding.
path_option <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path)) {
    usage_error("path is %s; give the name of one file", what(path))
  }
  path <- path.expand(path)
  # Bytes of no known encoding are the name already; enc2native() would replace those that are not valid.
  if (Encoding(path) == "unknown") path else enc2native(path)
}

# Matrices of numbers and data frames with three columns, as a matrix of doubles.
matrix_option <- function(xyz) {
  if (is.data.frame(xyz)) {
    is_number <- vapply(xyz, is.numeric, NA)
    if (!all(is_number)) {
      usage_error("column %s of xyz is %s; give numbers", names(xyz)[!is_number][1], class(xyz[!is_number][[1]])[1])
    }
    xyz <- as.matrix(xyz)
  }
  if (!is.numeric(xyz) || !is.matrix(xyz)) usage_error("xyz is %s; give a numeric matrix with three columns", what(xyz))
  if (ncol(xyz) != 3) {
    hint <- if (nrow(xyz) == 3) "; transpose it: t(xyz)" else ""
    usage_error("xyz has %d columns; give three, one row a sample%s", ncol(xyz), hint)
  }
  if (nrow(xyz) == 0) recording_error("xyz has no rows; give at least one sample")
  storage.mode(xyz) <- "double"
  xyz
}

# Seconds or POSIXct, as doubles.
times_option <- function(t, rows) {
  if (is.null(t)) return(NULL)
  if (inherits(t, "POSIXlt")) t <- as.POSIXct(t)
  is_moment <- inherits(t, "POSIXct")
  if (is.object(t) && !is_moment || !is.numeric(unclass(t))) usage_error("t is %s; give seconds as numbers, or POSIXct", what(t))
  if (length(t) != rows) usage_error("t has %d times; give %d, one for each row of xyz", length(t), rows)
  as.double(t)
}
