// Package browsertest drives the system's Chromium in tests. Start with [Start], and open a page with [Browser.Open]:
//
//	tab := browsertest.Start(t).Open(t, "http://127.0.0.1:8765/")
//	tab.Until(`document.title === "Ready"`)
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Path returns the path of Chromium. It skips the test if there is none, and fails it in CI.
func Path(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "Chromium is not installed: run `make setup`"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// Start starts Chromium until the test ends. It skips the test if there is none, and fails it in CI.
func Start(t *testing.T) Browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(Path(t)), chromedp.WindowSize(1280, 820), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, _ = chromedp.NewContext(ctx)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	require.NoError(t, chromedp.Do(ctx))
	return Browser{ctx}
}

// Tab is a page in a browser, what the browser complained about, and what it requested.
type Tab struct {
	t   *testing.T
	ctx context.Context

	mu                   sync.Mutex
	complaints, requests []string
}

// Open opens a page in a new tab, after actions that prepare the tab.
func (b Browser) Open(t *testing.T, url string, prepare ...chromedp.Action[chromedp.Void]) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, tab.listen))
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	tab.Do(prepare...)
	tab.Do(chromedp.Navigate(url))
	return tab
}

func (b *Tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, fmt.Sprint("exception: ", e.ExceptionDetails.Text, e.ExceptionDetails.LineNumber, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, fmt.Sprint("console: ", e.Type))
	case *log.EventEntryAdded:
		b.complaints = append(b.complaints, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		b.complaints = append(b.complaints, "dialog: "+e.Message)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// Do does actions of chromedp.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// Run evaluates an expression for its effect.
func (b *Tab) Run(expression string) {
	b.t.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](expression))
}

// Click clicks the middle of the first element that matches a selector, with the mouse, after scrolling it into view.
func (b *Tab) Click(selector string) {
	b.t.Helper()
	// One expression finds the element and its place, because a page may replace it between two.
	b.Until(fmt.Sprintf(`(window.clicked = (() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center" });
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2]; })()) !== null`, selector))
	at := Value[[]float64](b, `window.clicked`)
	b.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// Type types text into the element that has the focus. Keys of chromedp/kb are part of it.
func (b *Tab) Type(text string) {
	b.t.Helper()
	b.Do(chromedp.KeyEvent(text))
}

// Value returns the value of an expression.
func Value[T any](b *Tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b.t, err, expression)
	return v
}

// Until waits until an expression is true. One that throws, because an element isn't there yet, is not.
func (b *Tab) Until(expression string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Poll[chromedp.Void]("(() => { try { return "+expression+" } catch { return false } })()", chromedp.WithPollingTimeout(30*time.Second)))
	if err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText`))
		require.NoError(b.t, err, "%s\nThe page:\n%.2000s\n%v", expression, text, b.Complaints())
	}
}

// Complaints returns exceptions, message boxes, and everything that is in the browser's console.
func (b *Tab) Complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.complaints...)
}

// Requests returns the URLs that the page requested, its own first.
func (b *Tab) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.requests...)
}

// Screenshot saves the visible part of the page as a PNG file, for looking at it.
func (b *Tab) Screenshot(path string) {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(path, picture, 0o644))
}
