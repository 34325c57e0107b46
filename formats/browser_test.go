package formats_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// startBrowser starts Chromium. It skips the test if there is none, and fails it in CI.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("chromium is not installed: run .ci/setup test")
		}
		t.Skip("chromium is not installed: run .ci/setup test")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1000, 800), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, _ = chromedp.NewContext(ctx)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// tab is a page in a browser, and what the browser complained about.
type tab struct {
	ctx context.Context
	t   *testing.T

	mu         sync.Mutex
	complaints []string
}

// openPage opens a page in a new tab, after preparing the tab.
func openPage(t *testing.T, browser context.Context, path string, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &tab{ctx: ctx, t: t}
	require.NoError(t, chromedp.Listen(ctx, b.listen))
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	b.do(prepare...)
	b.do(chromedp.Navigate("file://" + path))
	return b
}

func (b *tab) listen(event any) {
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
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// value returns the value of an expression.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b.t, err, expression)
	return v
}

// until waits until an expression is true.
func (b *tab) until(expression string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(30*time.Second)))
	require.NoError(b.t, err, expression)
}

// complained returns what the browser complained about.
func (b *tab) complained() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.complaints
}

// savePage writes a page, and next to it a file that it may play, "a talk #1?.wav".
func savePage(t *testing.T, tr transcript.Transcript, o formats.Options) string {
	t.Helper()
	dir := t.TempDir()
	media, err := os.ReadFile("../testdata/conversation.wav")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a talk #1?.wav"), media, 0o600))
	path := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(path, write(t, "html", tr, o), 0o600))
	return path
}
