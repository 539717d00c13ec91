module github.com/seed92411348/kfda

go 1.26
