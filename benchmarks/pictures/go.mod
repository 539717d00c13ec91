module github.com/seed92411348/kfda/benchmarks/pictures

go 1.26.0

require github.com/seed92411348/kfda v0.0.0

require golang.org/x/sys v0.50.0 // indirect

replace github.com/seed92411348/kfda => ../..
