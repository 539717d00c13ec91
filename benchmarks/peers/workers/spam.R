# Writes the spam data of kernlab, its columns standardised, as numbers: the rows, and the
# class of each, to the two files that it is given. It prints the rows and columns.

suppressPackageStartupMessages(library(kernlab))
files <- commandArgs(TRUE)
data(spam)
x <- as.matrix(spam[, -ncol(spam)])
n <- nrow(x)
x <- scale(x) * sqrt(n / (n - 1))
writeBin(as.vector(t(x)), files[1], endian = "little")
writeBin(as.numeric(spam$type) - 1, files[2], endian = "little")
cat(n, ncol(x))
