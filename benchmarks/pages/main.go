// Command pages looks at HTML pages in a headless browser:
//
//	go run ./benchmarks/pages -o DIR PAGE.html…
//
// Each page is loaded from its file as a screen of 1280 and of 390 pixels shows it, light and
// dark. It must be no wider than the screen, write nothing to the console and ask for nothing
// but itself. DIR gets a picture of each.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

func main() {
	out := flag.String("o", "", "`folder` for pictures of the pages")
	flag.Parse()
	faults, err := check(context.Background(), *out, flag.Args()...)
	for _, f := range faults {
		fmt.Println(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
	}
	if err != nil || len(faults) > 0 {
		os.Exit(1)
	}
}

// screen is what a page is looked at on.
type screen struct {
	width int64
	dark  bool
}

var screens = []screen{{1280, false}, {1280, true}, {390, false}, {390, true}}

// check returns what is wrong with pages.
func check(ctx context.Context, out string, pages ...string) (faults []string, err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil { // the browser, which its tabs share
		return nil, err
	}
	for _, page := range pages {
		for _, s := range screens {
			found, err := checkOn(ctx, s, out, page)
			if err != nil {
				return faults, fmt.Errorf("%s: %w", page, err)
			}
			faults = append(faults, found...)
		}
	}
	return faults, nil
}

// checkOn returns what is wrong with a page on a screen.
func checkOn(ctx context.Context, s screen, out, page string) (faults []string, err error) {
	ctx, cancel := chromedp.NewContext(ctx)
	defer cancel()
	path, err := filepath.Abs(page)
	if err != nil {
		return nil, err
	}
	address := "file://" + path
	var lock sync.Mutex // of faults
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s at %d pixels: ", page, s.width)+fmt.Sprintf(format, args...))
	}
	if err := chromedp.Do(ctx); err != nil { // opens the tab
		return nil, err
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	err = chromedp.Listen(ctx, func(event any) {
		lock.Lock()
		defer lock.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address && !strings.HasPrefix(e.Request.URL, "data:") {
				fault("asks for %s", e.Request.URL)
			}
		case *runtime.EventConsoleAPICalled:
			fault("writes to the console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			fault("throws %s", e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			fault("logs %s", e.Entry.Text)
		}
	})
	if err != nil {
		return nil, err
	}
	scheme := map[bool]string{false: "light", true: "dark"}[s.dark]
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		return nil, err
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(s.width, 900), chromedp.Navigate(address)); err != nil {
		return nil, err
	}
	wide, err := chromedp.Run(ctx, chromedp.Evaluate[int64](`document.scrollingElement.scrollWidth`))
	if err != nil {
		return nil, err
	}
	inner, err := chromedp.Run(ctx, chromedp.Evaluate[int64](`window.innerWidth`))
	if err != nil {
		return nil, err
	}
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return nil, err
	}
	lock.Lock()
	defer lock.Unlock()
	if wide > inner || inner != s.width {
		fault("is %d wide, on %d", wide, inner)
	}
	if out == "" {
		return faults, nil
	}
	name := fmt.Sprintf("%s-%d-%s.png", strings.TrimSuffix(filepath.Base(page), ".html"), s.width, scheme)
	return faults, os.WriteFile(filepath.Join(out, name), picture, 0o666)
}
