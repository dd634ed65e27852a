# Columns of the rows as jsonlite simplifies them: a column may be absent, or have no type if all of it is null.

cells <- function(rows, name) {
  column <- rows[[name]]
  if (is.null(column)) return(rep(NA, nrow(rows)))
  if (is.list(column) && !is.data.frame(column))
    column <- unlist(lapply(column, function(cell) if (length(cell) == 0) NA else cell))
  column
}

texts <- function(rows, name) as.character(cells(rows, name))

json_texts <- function(rows, name) {
  column <- rows[[name]]
  if (is.null(column)) return(rep(NA_character_, nrow(rows)))
  json_rows(column)
}

# Each row of a data frame as JSON without its missing cells; missing where nothing is left.
json_rows <- function(frame) {
  vapply(seq_len(nrow(frame)), function(n) {
    row <- Filter(Negate(is.na), as.list(frame[n, , drop = FALSE]))
    if (length(row) == 0) NA_character_ else as.character(jsonlite::toJSON(row, auto_unbox = TRUE, digits = NA))
  }, "")
}

instants <- function(text) as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")

# The date and the time that a clock in each zone shows at an instant, as text: a column of times has one zone.
wall_clock <- function(at, zones) {
  shown <- rep(NA_character_, length(at))
  for (zone in unique(zones[!is.na(zones)])) {
    if (!(zone %in% OlsonNames())) {
      warning("R does not know the time zone ", zone, ".")
      next
    }
    here <- which(zones == zone & !is.na(at))
    shown[here] <- format(at[here], "%Y-%m-%d %H:%M:%S", tz = zone)
  }
  shown
}

# A data frame of columns, names as they are. `answers` has the questions of its columns, and the labels of scales.
data_frame <- function(columns, answers = NULL) {
  frame <- structure(columns, class = "data.frame", row.names = .set_row_names(length(columns[[1]])))
  attr(frame, "questions") <- answers$questions
  attr(frame, "labels") <- answers$labels
  frame
}
