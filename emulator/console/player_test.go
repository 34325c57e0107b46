package console_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// hostile are texts that must stay texts.
var hostile = []string{
	`</script><script>alert(1)</script>`, `<!--<script>`, `]]>--><img src=x onerror=alert(2)>`, `</title><svg onload=alert(3)>`, "\u2028alert(4)\u2029",
	`{"soundstage":"data"}`, `"><iframe src=https://evil.example></iframe>`, "javascript:alert(5)", `{@html "<b>"}`, `$& $1 $$`,
}

// player returns a page in whose title, speakers, and words a text is.
func player(t *testing.T, text string) []byte {
	t.Helper()
	transcript, err := json.Marshal(map[string]any{"language": text, "audio_duration": 3, "utterances": []any{map[string]any{
		"speaker": text, "speaker_name": text, "text": text, "start": 0, "end": 2000,
		"words": []any{map[string]any{"text": text, "start": 0, "end": 900}, map[string]any{"text": "end.", "start": 1000, "end": 2000}},
	}}})
	require.NoError(t, err)
	var page bytes.Buffer
	require.NoError(t, console.WritePlayer(&page, console.Player{Title: text, Media: "a.mp4", Transcript: transcript}))
	return page.Bytes()
}

// The page has the data unchanged, in one element that no text can end, and a policy in front of everything that it limits.
func TestPlayer(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		page := player(t, text)
		data := regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`).FindSubmatch(page)
		require.NotNil(t, data, text)
		require.NotContains(t, string(data[1]), "<", text)
		require.NotContains(t, string(data[1]), "\u2028", text)
		var v struct {
			Title      string
			Transcript struct{ Utterances []struct{ Speaker string } }
		}
		require.NoError(t, json.Unmarshal(data[1], &v), text)
		require.Equal(t, text, v.Title)
		require.Equal(t, text, v.Transcript.Utterances[0].Speaker)
		require.Less(t, bytes.Index(page, []byte("Content-Security-Policy")), bytes.Index(page, []byte("<title>")))
		require.Less(t, bytes.Index(page, []byte(console.PlayerMark)), 1024, "the mark is near the beginning")
		require.NotRegexp(t, `https?://[^ "]*\.(js|css|woff2?)`, string(page))
	}
}

// Only media that a page may play is accepted, and the policy allows it and nothing else.
func TestPlayerMedia(t *testing.T) {
	t.Parallel()
	write := func(media, transcript string) (string, error) {
		var page bytes.Buffer
		err := console.WritePlayer(&page, console.Player{Media: media, Transcript: json.RawMessage(transcript)})
		return page.String(), err
	}
	for media, from := range map[string]string{
		"a%20b.mp4": "'self' file:;", "../x/%23.mp4": "'self' file:;", "./a:b.mp4": "'self' file:;", "file:///C:/a.mp4": "'self' file:;",
		"https://media.example/a.mp4?x=1": "http: https:;", "http://127.0.0.1:1/a": "http: https:;",
	} {
		page, err := write(media, `{"utterances":[]}`)
		require.NoError(t, err, media)
		require.Contains(t, page, "media-src "+from, media)
	}
	for _, media := range []string{"", "javascript:alert(1)", "data:text/html,x", "//evil.example/a.mp4", "ftp://x/a", "https://", "a%zz", "?x"} {
		_, err := write(media, `{"utterances":[]}`)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), media)
	}
	_, err := write("a.mp4", `{"utterances":`)
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
}

// In a browser, hostile texts in the title, in speakers, and in words are shown as they are.
func TestPlayerIsSafe(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a browser")
	browser, dir := browsertest.Start(t), t.TempDir()
	media, err := os.ReadFile("../../testdata/conversation.mp4")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.mp4"), media, 0o600))
	for i, text := range hostile {
		path := filepath.Join(dir, string(rune('a'+i))+".html")
		require.NoError(t, os.WriteFile(path, player(t, text), 0o600))
		tab := browser.Open(t, "file://"+path)
		tab.Until(`document.querySelector("[data-w]") !== null`)
		require.Equal(t, text, browsertest.Value[string](tab, `document.querySelector("h1").textContent`))
		require.Equal(t, text, browsertest.Value[string](tab, `document.querySelector(".who strong").textContent`))
		require.Equal(t, text, browsertest.Value[string](tab, `document.querySelector("[data-w]").textContent.replace(/ $/, "")`))
		require.Equal(t, 2, browsertest.Value[int](tab, `document.scripts.length`), text)
		require.Zero(t, browsertest.Value[int](tab, `document.querySelectorAll("iframe, img, object, embed, form, main svg[onload]").length`), text)
		for _, url := range tab.Requests() {
			require.Regexp(t, `^file://`, url)
		}
		require.Empty(t, tab.Complaints(), text)
	}
}
