package formats_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Pages work in a browser, which has nothing to complain about.
func TestPages(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a browser")
	browser := browsertest.Start(t)
	for name, test := range map[string]func(*testing.T, browsertest.Browser){
		"play": pagePlays, "search": pageSearches, "without JavaScript": pageWithoutJavaScript, "are safe": pageIsSafe,
	} {
		t.Run(name, func(t *testing.T) { test(t, browser) })
	}
}

// savePage writes a page, and next to it a file that it may play, "a talk #1?.wav". It returns the URL of the page.
func savePage(t *testing.T, tr transcript.Transcript, o formats.Options) string {
	t.Helper()
	dir := t.TempDir()
	media, err := os.ReadFile("../testdata/conversation.wav")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a talk #1?.wav"), media, 0o600))
	path := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(path, write(t, "html", tr, o), 0o600))
	return "file://" + path
}

// highlighted is an expression for the text that a page highlights.
func highlighted(name string) string {
	return fmt.Sprintf(`[...(CSS.highlights.get(%q) ?? [])].map(String).join("|")`, name)
}

// A page plays its media, highlights the word that is spoken, and goes to words, times, and chapters that are clicked.
func pagePlays(t *testing.T, browser browsertest.Browser) {
	tr, o := interview()
	o.Media = "a talk #1?.wav"
	o.Chapters = sections().Chapters
	b := browser.Open(t, savePage(t, tr, o))
	const audio = `document.querySelector("audio")`
	b.Until(audio + `.readyState >= 1`)

	point := browsertest.Value[[]float64](b, `(() => { // the middle of a word
		const p = [...document.querySelectorAll(".said")].find((p) => p.textContent.includes("Lovelace"));
		p.scrollIntoView({ block: "center" });
		const r = document.createRange(), from = p.textContent.indexOf("Lovelace");
		r.setStart(p.firstChild, from); r.setEnd(p.firstChild, from + 8);
		const box = r.getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2]; })()`)
	b.Run(audio + `.addEventListener("seeking", (e) => { window.sought ??= e.target.currentTime; })`)
	b.Do(chromedp.MouseClickXY(point[0], point[1]))
	b.Until(`!` + audio + `.paused && ` + audio + `.currentTime > 13.9`)
	require.InDelta(t, 13.9, browsertest.Value[float64](b, `window.sought`), 0.001, "“Lovelace” begins at 13.9 s")
	b.Run(audio + `.pause(); ` + audio + `.currentTime = 14`)
	b.Until(highlighted("word") + ` === "Lovelace,"`)
	require.Equal(t, "Speaker 1", browsertest.Value[string](b, `document.querySelector(".turn.now .who").textContent`))

	b.Do(chromedp.Click(chromedp.CSS(`a[href="#chapter-2"]`)))
	b.Until(audio + `.currentTime === 11`)
	require.Equal(t, "#chapter-2", browsertest.Value[string](b, `location.hash`))
	require.Equal(t, "#chapter-2", browsertest.Value[string](b, `document.querySelector("[aria-current]").getAttribute("href")`))

	b.Run(`document.activeElement.blur()`)
	b.Type(kb.ArrowRight)
	b.Until(audio + `.currentTime === 16`)
	b.Type(kb.ArrowLeft)
	b.Until(audio + `.currentTime === 11`)
	b.Type(" ")
	b.Until(`!` + audio + `.paused`)
	b.Type(" ")
	b.Until(audio + `.paused`)

	b.Do(chromedp.Click(chromedp.CSS(`a.at[data-start="24000"]`)))
	b.Until(audio + `.currentTime >= 24`)
	b.Until(`document.querySelector(".turn.now .said").textContent === "Yes."`)
	b.Until(highlighted("word") + ` === "Yes."`)
	require.Empty(t, b.Complaints())
}

// The search counts and highlights what it finds, in any case and with any spaces, and goes from one place to the next.
func pageSearches(t *testing.T, browser browsertest.Browser) {
	tr, o := interview()
	b := browser.Open(t, savePage(t, tr, o))
	count := func() string { return browsertest.Value[string](b, `document.querySelector("output").textContent`) }
	b.Do(chromedp.Focus(chromedp.CSS(`input`)), chromedp.KeyEvent("THE  p"))
	require.Equal(t, "1 / 1", count())
	require.Equal(t, "the p", browsertest.Value[string](b, highlighted("found")))
	b.Do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("the "))
	require.Equal(t, "1 / 6", count())
	require.Equal(t, "the|the|the|the|the|the", strings.ToLower(browsertest.Value[string](b, highlighted("hit"))))
	b.Do(chromedp.KeyEvent(kb.Enter))
	require.Equal(t, "2 / 6", count())
	b.Do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierShift)), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierShift)))
	require.Equal(t, "6 / 6", count())
	b.Do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(`.*([`))
	require.Equal(t, "0 / 0", count())
	b.Do(chromedp.KeyEvent(kb.Escape))
	require.Empty(t, count()+browsertest.Value[string](b, highlighted("hit"))+browsertest.Value[string](b, highlighted("found")))
	require.Empty(t, b.Complaints())
}

// Without JavaScript, a page has its text, and times link to the media. The search, which would do nothing, is hidden.
func pageWithoutJavaScript(t *testing.T, browser browsertest.Browser) {
	tr, o := interview()
	o.Media = "a talk #1?.wav"
	scripts := func(off bool) chromedp.Action[chromedp.Void] {
		return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
			return err
		})
	}
	b := browser.Open(t, savePage(t, tr, o), scripts(true))
	b.Do(scripts(false)) // for the expressions below; the page's own program was not run
	shown := browsertest.Value[string](b, `document.querySelector("main").innerText`)
	for _, u := range tr.Utterances {
		require.Contains(t, shown, u.Text)
	}
	require.Equal(t, "none", browsertest.Value[string](b, `getComputedStyle(document.querySelector(".search")).display`))
	require.True(t, strings.HasSuffix(browsertest.Value[string](b, `document.querySelector("a.at").href`), "/a%20talk%20%231%3F.wav#t=0.5"))
	require.Empty(t, b.Complaints())
}

// Nothing in titles, names, speech, chapters, and addresses becomes markup or a program, and the text is the transcript's.
func pageIsSafe(t *testing.T, browser browsertest.Browser) {
	tr, o := hostile()
	const attack = `"><img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)></p></main><!-- <a href="javascript:alert(4)">`
	tr.Utterances = append(tr.Utterances, say("Speaker 5", 90*minute, attack, "'onmouseover=alert(5)", "javascript:alert(6)", `https://example.com/"onclick="alert(7)`))
	tr.Language = `en"><script>alert(8)</script>`
	o.Title, o.Summary, o.Creator, o.Source = attack, attack+"\n"+attack, attack, attack
	o.Media = `x" onerror="alert(9)" .wav`
	o.Names["Speaker 5"] = attack
	o.Chapters = []formats.Chapter{{Title: attack, Summary: attack}}
	o.SpeakerTable = true
	b := browser.Open(t, savePage(t, tr, o))
	require.Equal(t, 1, browsertest.Value[int](b, `document.scripts.length`))
	require.Equal(t, 0, browsertest.Value[int](b, `document.querySelectorAll("img, svg, iframe, object, embed, form").length`))
	require.Empty(t, browsertest.Value[[]string](b, `[...document.querySelectorAll("*")].flatMap((e) => [...e.attributes]).map((a) => a.name).filter((n) => n.startsWith("on"))`))
	require.Empty(t, browsertest.Value[[]string](b, `[...document.querySelectorAll("a[href]")].map((a) => a.protocol).filter((p) => !["https:", "http:", "file:"].includes(p))`))
	require.Equal(t, captions.CleanText(attack), browsertest.Value[string](b, `document.title`))
	said := browsertest.Value[string](b, `[...document.querySelectorAll(".said")].map((p) => p.textContent).join("")`)
	var want strings.Builder
	for _, u := range document(t, tr, o).Utterances {
		want.WriteString(letters(u.Text))
	}
	require.Equal(t, want.String(), letters(said))
	for _, c := range b.Complaints() {
		require.Contains(t, c, "ERR_FILE_NOT_FOUND", "only the media is missing: nothing was blocked, since nothing was tried")
	}
}
