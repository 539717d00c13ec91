package main

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is the page in a browser.
type tab struct {
	*testing.T
	ctx     context.Context
	address string
	lock    sync.Mutex
	faults  []string // requests to others, and what the console has
}

var built = sync.OnceValues(page)

// open opens the page, or skips the test where there is no browser.
func open(t *testing.T) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser and a build for it: left to the long tests")
	}
	files, err := built()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler(files))
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	p := &tab{T: t, ctx: ctx, address: server.URL + "/"}
	err = chromedp.Do(ctx)
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		t.Skipf("no browser: %v", err)
	}
	p.must(err)
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	p.must(err)
	p.must(chromedp.Listen(ctx, p.listen))
	p.do(chromedp.EmulateViewport(1280, 900))
	p.visit(p.address)
	return p
}

// visit opens the page and waits for its first picture.
func (p *tab) visit(address string) {
	p.Helper()
	p.address = address
	p.do(chromedp.Navigate(address))
	p.settle(`(async () => { while (!state.fitted) await new Promise((done) => setTimeout(done, 20)); })()`)
}

func (p *tab) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, p.address) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:"+p.address) {
			fault = "asks for " + u
		}
	case *runtime.EventConsoleAPICalled:
		fault = fmt.Sprintf("console %s", e.Type)
	case *runtime.EventExceptionThrown:
		fault = "throws " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			fault += " " + e.ExceptionDetails.Exception.Description
		}
	case *log.EventEntryAdded:
		fault = "logs " + e.Entry.Text
	}
	if fault != "" {
		p.lock.Lock()
		p.faults = append(p.faults, fault)
		p.lock.Unlock()
	}
}

func (p *tab) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	p.must(chromedp.Do(p.ctx, steps...))
}

// value is that of an expression in the page.
func value[T any](p *tab, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	p.must(err)
	return v
}

// settle does something in the page and waits until it shows all that comes of that.
func (p *tab) settle(expression string) {
	p.Helper()
	value[bool](p, `(async () => { await (`+expression+`); return true; })()`)
	value[bool](p, `(async () => {
		await new Promise((done) => setTimeout(done, 30));
		while (state.busy || state.dirty || state.stale || state.idle || document.body.dataset.version != state.version) await new Promise((done) => setTimeout(done, 20));
		return true;
	})()`)
}

func (p *tab) text(id string) string {
	p.Helper()
	return value[string](p, fmt.Sprintf("$(%q).textContent", id))
}

// scheme makes the page light or dark.
func (p *tab) scheme(name string) {
	p.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, media)
	p.must(err)
}

// Every preset fits, one with every model, is no wider than the screen, light and dark, and asks for nothing
// elsewhere. KFDA_PAGE_PICTURES names a folder for pictures.
func TestPresets(t *testing.T) {
	p := open(t)
	dir := os.Getenv("KFDA_PAGE_PICTURES")
	for _, preset := range []string{"circles", "spirals", "banana", "iris"} {
		p.settle(`usePreset("` + preset + `")`)
		models := []string{"kfda"}
		if preset == "circles" {
			models = []string{"lda", "ridge", "svm", "kpca", "kfda"}
		}
		for _, model := range models {
			p.settle(`$("model").value = "` + model + `", $("model").onchange()`)
			if said := p.text("said"); p.text("hash") == "" || !strings.Contains(said, "row") {
				t.Errorf("%s, %s: %s", preset, model, said)
			}
		}
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				p.scheme(scheme)
				p.do(chromedp.EmulateViewport(width, 900))
				p.settle(`refresh()`)
				if wide := value[int64](p, `document.scrollingElement.scrollWidth`); wide > width {
					t.Errorf("%s is %d wide, on %d", preset, wide, width)
				}
				if dir != "" {
					picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
					p.must(err)
					p.must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", preset, width, scheme)), picture, 0o666))
				}
			}
		}
		p.do(chromedp.EmulateViewport(1280, 900))
	}
	p.quiet()
}
