package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// startBrowser starts Chromium. It skips the test if there is none, and fails it in CI.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browsertest.Path(t)), chromedp.WindowSize(900, 900), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	require.NoError(t, chromedp.Do(ctx))
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// In a browser, a user logs in, adds a video, and plays it with captions.
func TestPage(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a browser")
	browser := startBrowser(t)
	address, _ := start(t, t.TempDir())
	file, err := filepath.Abs(video)
	require.NoError(t, err)
	do := func(actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		require.NoError(t, chromedp.Do(browser, actions...))
	}
	until := func(expression string) {
		t.Helper()
		_, err := chromedp.Run(browser, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(time.Minute)))
		require.NoError(t, err, expression)
	}
	do(chromedp.Navigate(address), chromedp.WaitVisible("#login"), chromedp.SendKeys("[name=name]", "Ann"), chromedp.SendKeys("[name=password]", "correct horse"))
	save(t, browser, "login.png")
	do(chromedp.Click("#login button"))
	until(`!document.getElementById("pick").hidden`)
	do(chromedp.SetUploadFiles("#file", []string{file}, chromedp.NodeReady))
	until(`document.querySelector("li")`)
	save(t, browser, "sending.png")
	until(`(ready => ready && (ready.click(), true))(document.querySelector("li.ready"))`)
	until(`player.readyState >= 3 && player.currentTime > 0.5 && player.textTracks[0].activeCues?.length > 0`)
	until(`document.getElementById("error").textContent === ""`)
	save(t, browser, "playing.png")
}

// save saves a picture of the page in the folder WEBAPP_PICTURES, if it is set.
func save(t *testing.T, browser context.Context, name string) {
	t.Helper()
	folder := os.Getenv("WEBAPP_PICTURES")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(browser, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), picture, 0o600))
}
