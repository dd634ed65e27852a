# A copy of a study in a folder, kept from its feed of changes. The copy and its place in the feed are one file, which is
# replaced as a whole.

changes_between_saves <- 5000

sync <- function(study, path, anew = FALSE) {
  dir.create(path, showWarnings = FALSE, recursive = TRUE)
  file <- file.path(path, "copy.rds")
  copy <- if (!anew && file.exists(file)) readRDS(file) else list(study = study$study, next_change = 0, things = list())
  if (copy$study != study$study) stop("The folder has the copy of another study: ", copy$study, ".")
  things <- list2env(copy$things, hash = TRUE)
  save <- function() {
    copy$things <<- as.list(things)
    part <- tempfile("copy", path)
    saveRDS(copy, part)
    if (!file.rename(part, file)) stop("The copy cannot be written to ", file, ".")
  }
  count <- 0
  unsaved <- 0
  # Pages that were read stay when it is interrupted.
  on.exit(if (unsaved > 0) save())
  repeat {
    query <- list(after = format(copy$next_change, scientific = FALSE), limit = "500", include = "body")
    page <- tryCatch(
      read_document(study, path_of(study, "/changes"), query),
      fieldbell_problem = function(problem) if (is_of_another_part(problem) && copy$next_change > 0) NULL else stop(problem)
    )
    if (is.null(page)) {
      # Nothing of the former part stays.
      rm(list = ls(things, all.names = TRUE), envir = things)
      copy$next_change <- 0
      next
    }
    for (change in page$changes) {
      key <- paste(change$kind, change$identifier)
      if (!is.null(change$body)) things[[key]] <- change[c("kind", "identifier", "state", "body")]
      else if (exists(key, things, inherits = FALSE)) rm(list = key, envir = things)
    }
    copy$next_change <- page[["next"]]
    count <- count + length(page$changes)
    unsaved <- unsaved + length(page$changes)
    ended <- page[["next"]] >= page$latest
    if (ended || unsaved >= changes_between_saves) {
      save()
      unsaved <- 0
    }
    if (ended) break
  }
  frame <- copy_frame(copy$things)
  attr(frame, "changes") <- count
  invisible(frame)
}

# Somebody's group, or the scope of the program, has changed.
is_of_another_part <- function(problem) {
  problem$code == "request.invalid" && grepl("The part of the study that you see", conditionMessage(problem), fixed = TRUE)
}

copy_frame <- function(things) {
  things <- unname(things[order(names(things))])
  field <- function(name) vapply(things, function(thing) thing[[name]], "")
  data_frame(list(
    kind = field("kind"), identifier = field("identifier"), state = field("state"),
    body = I(lapply(things, function(thing) thing$body))
  ))
}
