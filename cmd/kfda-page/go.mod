module github.com/seed92411348/kfda/cmd/kfda-page

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/seed92411348/kfda v0.0.0
	github.com/tetratelabs/wazero v1.12.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/seed92411348/kfda => ../..
