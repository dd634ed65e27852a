# Requests: the token, retries, errors, and streams that must not be cut short.

transient <- c(429L, 502L, 503L, 504L)
longest_wait_seconds <- 60

# One JSON document, as nested lists.
read_document <- function(study, path, query = list()) {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  fetch(study, path, query, "application/json", file)
  jsonlite::read_json(file, simplifyVector = FALSE)
}

# All rows of a list, as jsonlite simplifies them. Either the whole list or an error.
read_rows <- function(study, path, query = list()) {
  file <- tempfile(fileext = ".ndjson")
  on.exit(unlink(file))
  type <- fetch(study, path, query, "application/x-ndjson", file)
  if (!startsWith(type, "application/x-ndjson"))
    stop("Expected a list with one row a line: the service is older than this package.")
  jsonlite::stream_in(file(file), verbose = FALSE, pagesize = 5000)
}

# Saves the answer of a GET, and returns its type. libcurl refuses a body that ends before its length or its last chunk.
fetch <- function(study, path, query, accept, file) {
  query <- Filter(Negate(is.null), query)
  parts <- vapply(query, function(value) curl::curl_escape(as.character(value)), "")
  url <- paste0(study$url, path, if (length(parts) > 0) "?", paste(names(parts), parts, sep = "=", collapse = "&"))
  failures <- 0L
  repeat {
    wait <- min(8, 0.25 * 2^failures) * stats::runif(1, 0.5, 1)
    answer <- tryCatch(attempt(study, url, accept, file), error = identity)
    if (inherits(answer, "error")) {
      if (failures >= study$retries) stop(answer)
    } else if (answer$status_code == 200L) {
      return(type_of(answer))
    } else {
      problem <- problem_of(answer, file)
      wait <- max(wait, problem$retry_after, na.rm = TRUE)
      if (!(problem$status %in% transient) || failures >= study$retries || wait > longest_wait_seconds)
        stop(problem)
    }
    failures <- failures + 1L
    Sys.sleep(wait)
  }
}

attempt <- function(study, url, accept, file) {
  handle <- curl::new_handle(
    # A redirect would hand the token to another host. The service sends none.
    followlocation = FALSE, connecttimeout = 30, low_speed_limit = 1, low_speed_time = 60
  )
  curl::handle_setheaders(handle, Accept = accept, Authorization = paste("Bearer", study$token()))
  answer <- curl::curl_fetch_disk(url, file, handle)
  headers <- headers_of(answer)
  framed <- c("content-length", "transfer-encoding") %in% names(headers)
  if (grepl("^HTTP/1", rawToChar(answer$headers)) && !any(framed))
    stop("The answer has neither a length nor chunks, so that its end cannot be told.")
  answer
}

headers_of <- function(answer) {
  lines <- curl::parse_headers(answer$headers)
  fields <- regmatches(lines, regexpr(":", lines), invert = TRUE)
  fields <- Filter(function(field) length(field) == 2, fields)
  values <- lapply(fields, function(field) trimws(field[2]))
  names(values) <- vapply(fields, function(field) tolower(field[1]), "")
  values
}

type_of <- function(answer) {
  type <- headers_of(answer)[["content-type"]]
  if (is.null(type)) "" else type
}

# The problem document (RFC 9457) of a refusal, as a condition.
problem_of <- function(answer, file) {
  document <- tryCatch(jsonlite::read_json(file, simplifyVector = FALSE), error = function(error) list())
  if (!is.list(document)) document <- list()
  or <- function(value, instead) if (is.null(value)) instead else value
  title <- or(document$title, sprintf("The service answered %d", answer$status_code))
  after <- or(headers_of(answer)[["retry-after"]], "")
  structure(
    class = c("fieldbell_problem", "error", "condition"),
    list(
      message = paste(c(title, document$detail), collapse = ": "),
      call = NULL,
      status = answer$status_code,
      type = or(document$type, "about:blank"),
      code = or(document$code, "unknown"),
      title = title,
      detail = document$detail,
      errors = or(document$errors, list()),
      retry_after = if (grepl("^[0-9]+$", after)) as.numeric(after) else NA_real_
    )
  )
}
