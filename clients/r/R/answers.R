# The answers of rows as columns `items.<item>`, typed by the codebook.

answer_columns <- function(rows, book, survey, labels, choices) {
  items <- items_of(book, survey)
  given <- if (is.data.frame(rows$items)) rows$items else data.frame(row.names = seq_len(nrow(rows)))
  known <- vapply(items, function(item) item$identifier, "")
  other <- given[setdiff(names(given), known)]
  columns <- list()
  for (item in items) {
    name <- item$identifier
    text <- if (is.null(given[[name]])) rep(NA_character_, nrow(rows)) else as.character(given[[name]])
    # An empty text is an answer to an item of text alone.
    if (item$kind != "text") text[!is.na(text) & text == ""] <- NA
    unfit <- !is.na(text) & !fits(item$kind, text)
    if (any(unfit)) {
      # Answers to an earlier wording, whose content nobody checked.
      other[[name]] <- ifelse(unfit, text, NA)
      text[unfit] <- NA
    }
    shown <- if (labels) rows$labels[[name]]
    shown <- if (is.null(shown)) rep(NA_character_, length(text)) else as.character(shown)
    columns <- c(columns, columns_of(item, paste0("items.", name), text, shown, labels, choices))
  }
  columns$other <- if (ncol(other) > 0) json_rows(other) else rep(NA_character_, nrow(rows))
  scales <- Filter(function(item) item$kind == "scale" && nrow(all_options(item)) > 0, items)
  list(
    columns = columns,
    questions = named(items, function(item) item$question),
    labels = named(scales, function(item) {
      options <- all_options(item)
      stats::setNames(as.integer(options$value), options$label)
    })
  )
}

named <- function(items, of) {
  stats::setNames(lapply(items, of), vapply(items, function(item) paste0("items.", item$identifier), ""))
}

fits <- function(kind, text) {
  switch(kind,
    number = grepl("^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$", text),
    scale = grepl("^-?[0-9]{1,9}$", text),
    `yes-no` = text %in% c("yes", "no"),
    date = grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", text),
    time = grepl("^[0-9]{2}:[0-9]{2}$", text),
    rep(TRUE, length(text))
  )
}

columns_of <- function(item, name, text, shown, labels, choices) {
  one <- function(values) stats::setNames(list(values), name)
  switch(item$kind,
    number = one(as.numeric(text)),
    scale = one(as.integer(text)),
    `yes-no` = one(text == "yes"),
    date = one(as.Date(text, format = "%Y-%m-%d")),
    choice = one(factor_of(item, text, shown, labels)),
    choices = {
      chosen <- strsplit(text, " ", fixed = TRUE)
      if (choices == "columns") return(indicators(item, name, chosen))
      if (labels) chosen <- Map(function(values, label) names_of_chosen(item, values, label), chosen, shown)
      one(I(unname(chosen)))
    },
    one(text)
  )
}

factor_of <- function(item, text, shown, labels) {
  values <- if (labels) names_of_values(item, text, shown) else text
  levels <- if (labels) all_names(item) else all_options(item)$value
  factor(values, levels = unique(c(levels, values[!is.na(values)])))
}

# A column of 1 and 0 for each option, missing where the item was not answered.
indicators <- function(item, name, chosen) {
  answered <- !vapply(chosen, function(values) all(is.na(values)), NA)
  given <- unlist(chosen[answered])
  options <- unique(c(all_options(item)$value, given))
  columns <- lapply(options, function(option) {
    chose <- as.integer(vapply(chosen, function(values) option %in% values, NA))
    replace(chose, !answered, NA)
  })
  stats::setNames(columns, paste0(name, "/", options))
}
