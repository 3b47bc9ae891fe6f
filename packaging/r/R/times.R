# Moments are POSIXct in UTC, or in the zone that the caller names. Local time of an unknown zone is shown as it is on the recorder's clock; `clock` tells which it is.
as_moment <- function(seconds, tz = "UTC") structure(seconds, class = c("POSIXct", "POSIXt"), tzone = tz)

# A moment of the library in ISO 8601, with its offset from UTC or without one.
parse_moment <- function(iso) {
  offset <- sub("^.*T[0-9:.]+", "", iso)
  clock <- sub("(Z|[+-][0-9:]+)$", "", iso)
  seconds <- as.numeric(as.POSIXct(sub("[.][0-9]+$", "", clock), format = "%Y-%m-%dT%H:%M:%S", tz = "UTC"))
  if (grepl("[.][0-9]+$", clock)) seconds <- seconds + as.numeric(sub("^.*([.][0-9]+)$", "0\\1", clock))
  if (offset == "") return(list(clock = "local", moment = as_moment(seconds)))
  list(clock = "utc", moment = as_moment(seconds - if (offset == "Z") 0 else fixed_offset(offset)))
}

# The seconds of an offset such as +02:00 or -0330; NA for anything else.
fixed_offset <- function(text) {
  parts <- regmatches(text, regexec("^([+-])([01][0-9]|2[0-3]):?([0-5][0-9])$", text))[[1]]
  if (length(parts) == 0) return(NA_real_)
  seconds <- as.numeric(parts[3]) * 3600 + as.numeric(parts[4]) * 60
  if (parts[2] == "-") -seconds else seconds
}

# A function that gives the offset from UTC, in seconds, of the zone at a moment.
zone <- function(tz) {
  tz <- string_option("tz", tz)
  fixed <- if (tz %in% c("Z", "UTC")) 0 else fixed_offset(tz)
  if (!is.na(fixed)) return(function(seconds) fixed)
  if (!tz %in% OlsonNames()) usage_error("tz '%s' is unknown; give one such as Europe/Berlin or +02:00", tz)
  function(seconds) {
    seconds <- floor(seconds)
    shown <- format(as_moment(seconds), "%Y-%m-%d %H:%M:%S", tz = tz)
    as.numeric(as.POSIXct(shown, tz = "UTC")) - seconds
  }
}

# The offset from UTC when local clocks show a time, as 'pedometer study' finds it.
offset_showing <- function(zone, shown) {
  before <- zone(shown - 86400)
  after <- zone(shown + 86400)
  # Of a time that is shown twice, the first one.
  if (before == after || zone(shown - before) == before) return(before)
  # Never shown, since clocks are set ahead over it: one that is not goes on.
  if (zone(shown - after) == after) after else before
}

# Local time in ISO 8601 with milliseconds, unless they are zero.
clock_text <- function(zone, moment) {
  milliseconds <- round(moment * 1000)
  seconds <- milliseconds %/% 1000
  offset <- zone(seconds)
  fraction <- milliseconds %% 1000
  paste0(
    format(as_moment(seconds + offset), "%Y-%m-%dT%H:%M:%S", tz = "UTC"),
    if (fraction > 0) sprintf(".%03.0f", fraction),
    sprintf("%s%02.0f:%02.0f", if (offset < 0) "-" else "+", abs(offset) %/% 3600, abs(offset) %% 3600 %/% 60)
  )
}
