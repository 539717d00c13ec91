module github.com/seed92411348/kfda/cmd/kfda

go 1.26.0

require (
	github.com/seed92411348/kfda v0.0.0
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/seed92411348/kfda => ../..
