# The benchmark's tasks with kernlab. Commands and answers are those of
# internal/worker/worker.go.

suppressPackageStartupMessages(library(kernlab))

numbers <- function(name, rows, cols) {
  matrix(readBin(name, "double", rows * cols, endian = "little"), rows, cols, byrow = TRUE)
}

# A task is a list of functions: run returns a result, and check takes numbers from it.

gram <- function(p) {
  n <- as.integer(p$n)
  x <- numbers(p$numbers, n, as.integer(p$d))
  kernel <- rbfdot(sigma = as.numeric(p$gamma))
  list(
    run = function() kernelMatrix(kernel, x),
    check = function(k) c(k[2, 1], k[n, n %/% 2 + 1], k[n, n])
  )
}

pca <- function(p) {
  n <- as.integer(p$n)
  x <- numbers(p$rows, n, as.integer(p$d))
  components <- as.integer(p$components)
  list(
    run = function() kpca(x, kernel = "rbfdot", kpar = list(sigma = as.numeric(p$gamma)), features = components),
    check = function(fit) n * eig(fit)[c(1, components)]
  )
}

machine <- function(p) {
  n <- as.integer(p$n)
  x <- numbers(p$rows, n, as.integer(p$d))
  y <- factor(numbers(p$labels, n, 1))
  list(
    run = function() {
      kernel <- list(sigma = as.numeric(p$gamma))
      ksvm(x, y, type = "C-svc", kernel = "rbfdot", kpar = kernel, C = as.numeric(p$C), scaled = FALSE, cache = 200, tol = 1e-3)
    },
    check = function(fit) sort(unique(unlist(alphaindex(fit)))) - 1
  )
}

tasks <- list(gram = gram, pca = pca, machine = machine)

about <- function() {
  sprintf("%s, kernlab %s on %s", R.version.string, packageVersion("kernlab"), basename(extSoftVersion()[["BLAS"]]))
}

# times returns the time of each run in a row, that of all processors in another.
times <- function(task, repetitions) {
  sapply(seq_len(repetitions), function(i) {
    result <<- NULL
    used <- sum(proc.time()[1:2])
    start <- Sys.time()
    result <<- task$run()
    c(as.numeric(difftime(Sys.time(), start, units = "secs")), sum(proc.time()[1:2]) - used)
  })
}

result <- NULL
task <- NULL
array <- function(values) sprintf("[%s]", paste(sprintf("%.17g", values), collapse = ", "))

answer <- function(words) {
  switch(words[1],
    about = sprintf("{\"about\": \"%s\"}", about()),
    setup = {
      pairs <- regmatches(words[-(1:2)], regexpr("=", words[-(1:2)]), invert = TRUE)
      p <- setNames(lapply(pairs, `[`, 2), sapply(pairs, `[`, 1))
      task <<- tasks[[words[2]]](p)
      "{}"
    },
    run = {
      t <- times(task, as.integer(words[2]))
      sprintf("{\"seconds\": %s, \"processor\": %s}", array(t[1, ]), array(t[2, ]))
    },
    check = sprintf("{\"check\": %s}", array(task$check(result))),
    drop = {
      task <<- result <<- NULL
      invisible(gc())
      "{}"
    },
    "{\"error\": \"no such command\"}"
  )
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  reply <- tryCatch(answer(strsplit(line, " ")[[1]]), error = function(e) {
    sprintf("{\"error\": \"%s\"}", gsub("[\"\\\\\n]", " ", conditionMessage(e)))
  })
  cat(reply, "\n", sep = "")
  flush(stdout())
}
