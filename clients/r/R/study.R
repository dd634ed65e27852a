fieldbell_study <- function(url, study, token = Sys.getenv("FIELDBELL_TOKEN"), retries = 4L) {
  if (!is.character(token) || length(token) != 1 || !nzchar(token))
    stop("Expected a token: token =, or FIELDBELL_TOKEN in the environment.")
  if (!grepl("^(investigation/)?[0-9a-f]{32}$", study))
    stop("Expected the identifier of a study: 32 digits and letters from a to f.")
  force(token)
  structure(
    # In a function, so that nothing prints the token.
    list(url = sub("/+$", "", url), study = sub("^investigation/", "", study), token = function() token, retries = retries),
    class = "fieldbell_study"
  )
}

print.fieldbell_study <- function(x, ...) {
  cat("Study", x$study, "at", x$url, "\n")
  invisible(x)
}

responses <- function(study, survey = NULL, labels = TRUE, choices = c("lists", "columns"), status = NULL,
                      properties = NULL) {
  choices <- match.arg(choices)
  survey <- survey_of(study, survey)
  query <- c(list(survey = survey, status = status, labels = if (labels) "true"), property_pairs(properties))
  rows <- read_rows(study, path_of(study, "/responses"), query)
  # Afterwards, so that it has the items of all rows.
  book <- read_codebook(study)
  creation <- texts(rows, "creation")
  given <- texts(rows, "givenAt")
  given[is.na(given)] <- creation[is.na(given)]
  table <- list(
    identifier = texts(rows, "identifier"),
    survey = texts(rows, "survey"),
    surveyName = book$surveyName[match(texts(rows, "survey"), book$survey)],
    case = texts(rows, "case"),
    responder = texts(rows, "responder"),
    code = texts(rows, "code"),
    name = texts(rows, "name"),
    givenAt = instants(given),
    creation = instants(creation),
    revisedAt = as.POSIXct(as.numeric(cells(rows, "revisionUNIX")), origin = "1970-01-01", tz = "UTC"),
    revisionIdentifier = texts(rows, "revisionIdentifier"),
    notification = texts(rows, "notification"),
    late = as.logical(cells(rows, "late")),
    outdated = !is.na(as.logical(cells(rows, "outdated"))),
    status = texts(rows, "status"),
    lockedAt = instants(texts(rows, "lockedAt"))
  )
  table <- append(table, property_columns(rows), after = 7)
  answers <- answer_columns(rows, book, survey, labels, choices)
  data_frame(c(table, answers$columns, list(reasons = json_texts(rows, "reasons"))), answers)
}

occurrences <- function(study, from = NULL, to = NULL, survey = NULL, labels = TRUE,
                        choices = c("lists", "columns"), user = NULL, properties = NULL) {
  choices <- match.arg(choices)
  survey <- survey_of(study, survey)
  query <- list(
    from = date_text(from), to = date_text(to), survey = survey, user = user,
    labels = if (labels && !is.null(survey)) "true"
  )
  query <- c(query, property_pairs(properties))
  rows <- read_rows(study, path_of(study, "/occurrences"), query)
  book <- read_codebook(study)
  due <- instants(texts(rows, "dueAt"))
  table <- list(
    identifier = texts(rows, "identifier"),
    user = texts(rows, "user"),
    code = texts(rows, "code"),
    survey = texts(rows, "survey"),
    surveyName = book$surveyName[match(texts(rows, "survey"), book$survey)],
    on = as.Date(texts(rows, "on")),
    slot = as.integer(cells(rows, "slot")),
    counter = as.integer(cells(rows, "counter")),
    revision = as.integer(cells(rows, "revision")),
    timeZone = texts(rows, "timeZone"),
    dueAt = due,
    dueLocal = wall_clock(due, texts(rows, "timeZone")),
    sentAt = instants(texts(rows, "sentAt")),
    shownAt = instants(texts(rows, "shownAt")),
    openedAt = instants(texts(rows, "openedAt")),
    answeredAt = instants(texts(rows, "answeredAt")),
    late = as.logical(cells(rows, "late")),
    state = texts(rows, "state"),
    reason = texts(rows, "reason"),
    nudges = as.integer(cells(rows, "nudges")),
    response = texts(rows, "response")
  )
  table <- append(table, property_columns(rows), after = 5)
  if (is.null(survey)) return(data_frame(table))
  answers <- answer_columns(rows, book, survey, labels, choices)
  data_frame(c(table, answers$columns), answers)
}

codebook <- function(study) {
  rows <- read_rows(study, path_of(study, "/codebook"))
  data_frame(list(
    survey = texts(rows, "survey"),
    surveyName = texts(rows, "surveyName"),
    item = texts(rows, "item"),
    label = texts(rows, "label"),
    kind = texts(rows, "kind"),
    required = as.logical(cells(rows, "required")),
    min = as.numeric(cells(rows, "min")),
    max = as.numeric(cells(rows, "max")),
    options = I(options_of(rows)),
    sets = texts(rows, "sets"),
    from = instants(texts(rows, "from")),
    to = instants(texts(rows, "to"))
  ))
}

# The filter as the lists of the service take it: list(site = c("Lyon", "Paris")) is site:Lyon and site:Paris.
property_pairs <- function(properties) {
  pairs <- unlist(lapply(names(properties), function(name) paste(name, unlist(properties[[name]]), sep = ":")))
  stats::setNames(as.list(pairs), rep("property", length(pairs)))
}

# A column for each property that a row has.
property_columns <- function(rows) {
  found <- rows[["properties"]]
  if (!is.data.frame(found)) return(list())
  columns <- lapply(sort(names(found)), function(name) as.character(found[[name]]))
  stats::setNames(columns, paste0("property.", sort(names(found))))
}

path_of <- function(study, rest) paste0("/investigation/", study$study, rest)

# The identifier of a survey that is named by its identifier or its name.
survey_of <- function(study, survey) {
  if (is.null(survey) || grepl("^[0-9a-f]{32}$", survey)) return(survey)
  book <- read_codebook(study)
  found <- unique(book$survey[book$surveyName == survey])
  if (length(found) != 1)
    stop("Expected the identifier of a survey, or the name of one alone; the surveys are: ",
         paste(sort(unique(book$surveyName)), collapse = ", "), ".")
  found
}

date_text <- function(date) if (!is.null(date)) format(date)
