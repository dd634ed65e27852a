# Against a running service: FIELDBELL_URL, FIELDBELL_STUDY and FIELDBELL_TOKEN name a study, FIELDBELL_EXPECTED a JSON file
# with facts about it that were read from the API's documents, and FIELDBELL_FAULTY_URL the same service behind faults: below
# /busy each path is refused once, below /cut lists end early, and /move moves a case of FIELDBELL_TOKEN_OF_LYON's site to
# another one, and the next time back.

library(fieldbell)
url <- Sys.getenv("FIELDBELL_URL")
if (url == "") {
  message("Skipped: FIELDBELL_URL names no service.")
  quit("no")
}
expected <- jsonlite::read_json(Sys.getenv("FIELDBELL_EXPECTED"))
texts <- function(values) vapply(values, identity, "")
open <- function(at = url, ...) fieldbell_study(at, Sys.getenv("FIELDBELL_STUDY"), ...)
study <- open()

# Occurrences are those of the service.
prompts <- occurrences(study)
stopifnot(identical(prompts$identifier, texts(expected$occurrences)), attr(prompts$dueAt, "tzone") == "UTC")
day <- occurrences(study, from = expected$on, to = as.Date(expected$on))
stopifnot(all(day$on == as.Date(expected$on)), nrow(day) == sum(prompts$on == as.Date(expected$on)), nrow(day) > 0)

# Missed prompts by person and hour.
sent <- prompts[prompts$state == "sent" & is.na(prompts$answeredAt), ]
missed <- table(paste(sent$user, as.integer(substr(sent$dueLocal, 12, 13))))
stopifnot(setequal(names(missed), names(expected$missed)),
          all(missed == unlist(expected$missed)[names(missed)]))

# Answers have the labels that were answered.
answers <- responses(study, survey = expected$surveyName)
values <- responses(study, survey = expected$survey, labels = FALSE)
stopifnot(
  identical(as.character(answers$items.sleep), unname(texts(expected$labels[answers$identifier]))),
  identical(as.character(values$items.sleep), unname(texts(expected$values[values$identifier]))),
  answers$items.hours[1] == 7.5, isTRUE(answers$items.better[1]), answers$items.day[1] == as.Date("2026-03-04"),
  answers$items.bedtime[1] == "23:10", identical(answers$items.notes, c("0012", "")), is.na(answers$items.hours[2]),
  identical(answers$items.kept[[1]], c("Noise", "Light; sun")),
  identical(responses(study, survey = expected$survey, choices = "columns")$`items.kept/light`, c(1L, NA))
)

# All responses have a row, and each answer a place.
everything <- responses(study)
stopifnot(identical(everything$identifier, texts(expected$responses)), all(is.na(everything$other)))
diary <- occurrences(study, survey = expected$diary)
stopifnot(is.integer(diary$items.rested), is.numeric(diary$items.asleep),
          all(is.na(diary$items.rested[is.na(diary$answeredAt)])), !all(is.na(diary$items.rested)))

# The codebook has each item and its wording.
book <- codebook(study)
spans <- book[book$survey == expected$survey & !is.na(book$item) & book$item == "sleep", ]
stopifnot(identical(is.na(spans$to), c(FALSE, TRUE)),
          identical(vapply(spans$options, function(options) options$label[2], ""), c("Badly", "Not well")))

# A copy has the things of the lists, and goes on where it ended.
folder <- tempfile()
copy <- sync(study, folder)
stopifnot(setequal(copy$identifier[copy$kind == "response"], texts(expected$responses)),
          attr(copy, "changes") == nrow(copy) || attr(copy, "changes") > nrow(copy),
          attr(sync(study, folder), "changes") == 0)

# A filter gives the people and cases with a property.
at_lyon <- occurrences(study, properties = list(site = "Lyon"))
of_lyon <- responses(study, properties = list(site = "Lyon"))
stopifnot(identical(at_lyon$identifier, texts(expected$lyon$occurrences)), all(at_lyon$property.site == "Lyon"),
          identical(of_lyon$identifier, texts(expected$lyon$responses)), all(of_lyon$property.site == "Lyon"))

# A copy of a site has its things alone, wherever cases move.
part <- open(token = Sys.getenv("FIELDBELL_TOKEN_OF_LYON"))
move <- function() readLines(paste0(Sys.getenv("FIELDBELL_FAULTY_URL"), "/move"), warn = FALSE)
folder <- tempfile()
copied <- lapply(1:3, function(n) {
  copy <- sync(part, folder)
  found <- copy$identifier[copy$kind == "response"]
  stopifnot(setequal(found, responses(part)$identifier))
  move()
  found
})
move()
stopifnot(setequal(copied[[1]], texts(expected$lyon$responses)), setequal(copied[[3]], copied[[1]]),
          length(copied[[2]]) < length(copied[[1]]), all(copied[[2]] %in% copied[[1]]))

# A refusal is a condition with its title and detail.
problem <- tryCatch(codebook(fieldbell_study(url, paste0(strrep("0", 31), "1"))), fieldbell_problem = identity)
stopifnot(problem$status == 404, grepl("^Not found: .", conditionMessage(problem)), problem$code == "resource.not-found")

# A busy service is asked again, and a list that was cut short is an error.
faulty <- Sys.getenv("FIELDBELL_FAULTY_URL")
stopifnot(nrow(responses(open(paste0(faulty, "/busy")))) == nrow(everything))
cut <- tryCatch(responses(open(paste0(faulty, "/cut"), retries = 0L)), error = conditionMessage)
stopifnot(is.character(cut), grepl("transfer closed", cut))
