# Answers as columns, from rows as jsonlite simplifies those of the service. No service is needed.

library(fieldbell)
changed <- "2026-03-01T00:00:00.000Z"
options_of <- function(...) {
  labels <- c(...)
  data.frame(value = names(labels), label = unname(labels))
}
none <- data.frame(value = character(), label = character())
item <- function(item, kind, options = none, from = "2026-01-01T00:00:00.000Z", to = NA, survey = "d") {
  list(survey = survey, surveyName = toupper(survey), item = item, label = paste0(item, "?"), kind = kind,
       options = options, from = from, to = to)
}
rows <- list(
  item("sleep", "choice", options_of(well = "Well", badly = "Badly"), to = changed),
  item("old", NA, to = changed),
  item("sleep", "choice", options_of(badly = "Not well", well = "Well", x = "Same", y = "Same"), from = changed),
  item("hours", "number"),
  item("rested", "scale", options_of(`1` = "Not at all", `5` = "Completely")),
  item("kept", "choices", options_of(noise = "Noise", light = "Light; sun", worries = "Worries")),
  item("better", "yes-no"),
  item("bedtime", "time"),
  item("day", "date"),
  item("notes", "text"),
  item("tired", "scale", survey = "e")
)
field <- function(name) vapply(rows, function(row) as.character(row[[name]]), "")
book <- data.frame(survey = field("survey"), surveyName = field("surveyName"), item = field("item"),
                   label = field("label"), kind = field("kind"),
                   from = fieldbell:::instants(field("from")), to = fieldbell:::instants(field("to")))
book$options <- lapply(rows, function(row) row$options)

given <- textConnection(c(
  paste0('{"items":{"sleep":"badly","hours":"7.5","rested":"5","kept":"noise light","better":"no","bedtime":"23:10",',
         '"day":"2026-02-03","notes":""},"labels":{"sleep":"Badly","rested":"Completely","kept":"Noise; Light; sun"}}'),
  '{"items":{"sleep":"badly","hours":"-2","kept":"","notes":"0012"},"labels":{"sleep":"Not well"}}',
  '{"items":{"sleep":"x","hours":"many","gone":"z","old":"o"},"labels":{"sleep":"Same"}}',
  '{"items":{},"labels":{}}'
))
given <- jsonlite::stream_in(given, verbose = FALSE)
columns <- function(labels = TRUE, choices = "lists", survey = "d", of = given) {
  fieldbell:::answer_columns(of, book, survey, labels, choices)$columns
}
all_columns <- columns()

# Types are those of the codebook.
stopifnot(
  identical(all_columns$items.hours, c(7.5, -2, NA, NA)),
  identical(all_columns$items.rested, c(5L, NA, NA, NA)),
  identical(all_columns$items.better, c(FALSE, NA, NA, NA)),
  identical(all_columns$items.bedtime, c("23:10", NA, NA, NA)),
  identical(all_columns$items.day, as.Date(c("2026-02-03", NA, NA, NA)))
)
# Text stays text, and an empty one is not missing.
stopifnot(identical(all_columns$items.notes, c("", "0012", NA, NA)))
# Labels are those of the wording that was answered, in the order of the codebook.
stopifnot(
  identical(as.character(all_columns$items.sleep), c("Badly", "Not well", "Same [x]", NA)),
  identical(levels(all_columns$items.sleep), c("Not well", "Well", "Same [x]", "Same [y]", "Badly")),
  identical(levels(columns(labels = FALSE)$items.sleep), c("badly", "well", "x", "y"))
)
# Several choices are a list, also where a label has a semicolon, or columns.
stopifnot(
  identical(unclass(all_columns$items.kept), list(c("Noise", "Light; sun"), NA_character_, NA_character_, NA_character_)),
  identical(unclass(columns(labels = FALSE)$items.kept)[[1]], c("noise", "light")),
  identical(columns(choices = "columns")$`items.kept/light`, c(1L, NA, NA, NA)),
  identical(columns(choices = "columns")$`items.kept/worries`, c(0L, NA, NA, NA))
)
# Answers without a column are kept.
stopifnot(
  identical(jsonlite::fromJSON(all_columns$other[3]), list(gone = "z", hours = "many")),
  identical(is.na(all_columns$other), c(TRUE, TRUE, FALSE, TRUE))
)
# Present items come before former ones, and surveys in their order.
everywhere <- names(columns(survey = NULL))
stopifnot(identical(everywhere[1:2], c("items.sleep", "items.hours")),
          identical(utils::tail(everywhere, 3), c("items.tired", "items.old", "other")))
# An item whose kind changed is text.
former <- book
former$kind[former$item == "sleep" & !is.na(former$to)] <- "text"
stopifnot(identical(fieldbell:::answer_columns(given, former, "d", TRUE, "lists")$columns$items.sleep,
                    c("badly", "badly", "x", NA)))
# Columns have their types without rows, too.
empty <- columns(choices = "columns", of = data.frame())
stopifnot(is.factor(empty$items.sleep), is.numeric(empty$items.hours), is.integer(empty$`items.kept/light`),
          inherits(empty$items.day, "Date"), length(empty$items.notes) == 0)
# Clocks in Paris went from 2 to 3 half an hour earlier.
at <- fieldbell:::instants(rep("2026-03-29T01:30:00.123Z", 3))
stopifnot(
  format(at[1], "%Y-%m-%d %H:%M:%OS1", tz = "UTC") == "2026-03-29 01:30:00.1",
  identical(fieldbell:::wall_clock(at, c("Europe/Paris", "Asia/Tokyo", NA)),
            c("2026-03-29 03:30:00", "2026-03-29 10:30:00", NA))
)
# Neither a study nor a token is guessed.
refusal <- function(...) tryCatch(fieldbell_study(...), error = conditionMessage)
stopifnot(grepl("^Expected a token", refusal("http://127.0.0.1", strrep("a", 32), token = "")),
          grepl("^Expected the identifier", refusal("http://127.0.0.1", "Sleep", token = "t")),
          !grepl("secret", paste(utils::capture.output(print(fieldbell_study("http://127.0.0.1", strrep("a", 32), "secret"))),
                                 collapse = "")))
