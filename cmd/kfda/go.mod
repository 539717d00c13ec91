module github.com/seed92411348/kfda/cmd/kfda

go 1.26

require github.com/seed92411348/kfda v0.0.0

replace github.com/seed92411348/kfda => ../..
