# The codebook of a study: which kind and which options an item had, and when.

read_codebook <- function(study) {
  book <- codebook(study)
  # A span whose items are unknown has a row without an item.
  book[!is.na(book$item), , drop = FALSE]
}

# For each row, a data frame with the columns value and label.
options_of <- function(rows) {
  none <- data.frame(value = character(), label = character())
  column <- rows$options
  lapply(seq_len(nrow(rows)), function(n) {
    options <- if (is.list(column)) column[[n]]
    if (is.data.frame(options) && nrow(options) > 0) options[c("value", "label")] else none
  })
}

# Items that surveys have now, in their order, then former ones: each with its definitions, the latest first.
items_of <- function(book, survey) {
  if (!is.null(survey)) book <- book[book$survey == survey, , drop = FALSE]
  now <- is.na(book$to)
  book <- rbind(book[now, , drop = FALSE], book[!now, , drop = FALSE])
  lapply(unique(book$item), function(item) {
    definitions <- book[book$item == item, , drop = FALSE]
    latest <- order(!is.na(definitions$to), -as.numeric(definitions$from))
    definitions <- definitions[latest, , drop = FALSE]
    kinds <- unique(ifelse(is.na(definitions$kind), "text", definitions$kind))
    list(
      identifier = item,
      # Text if the definitions differ.
      kind = if (length(kinds) == 1) kinds else "text",
      question = definitions$label[1],
      definitions = lapply(definitions$options, named_options)
    )
  })
}

# `name`: the label, with the value if several options have that label.
named_options <- function(options) {
  shared <- options$label %in% options$label[duplicated(options$label)]
  options$name <- ifelse(shared, sprintf("%s [%s]", options$label, options$value), options$label)
  options
}

# Options of all definitions; of values with several labels the latest.
all_options <- function(item) {
  options <- do.call(rbind, item$definitions)
  options[!duplicated(options$value), , drop = FALSE]
}

all_names <- function(item) unique(do.call(rbind, item$definitions)$name)

# The names of values whose labels the service showed.
names_of_values <- function(item, values, shown) {
  options <- do.call(rbind, item$definitions)
  found <- match(paste(values, shown, sep = "\r"), paste(options$value, options$label, sep = "\r"))
  name <- ifelse(is.na(found), shown, options$name[found])
  ifelse(is.na(shown), values, name)
}

# The names of several values whose labels the service showed joined by "; ". A label may have a semicolon of its own, so
# the definition is looked for whose labels join to that text.
names_of_chosen <- function(item, values, shown) {
  if (is.na(shown)) return(values)
  for (options in item$definitions) {
    at <- match(values, options$value)
    labels <- ifelse(is.na(at), values, options$label[at])
    if (identical(paste(labels, collapse = "; "), shown)) return(ifelse(is.na(at), values, options$name[at]))
  }
  parts <- strsplit(shown, "; ", fixed = TRUE)[[1]]
  if (length(parts) == length(values)) parts else values
}
