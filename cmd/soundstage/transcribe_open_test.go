package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// withBrowser makes a shell script the browser of this process.
func withBrowser(t *testing.T, script string) {
	t.Helper()
	name, value, _ := strings.Cut(fakeBrowser(t, script), "=")
	t.Setenv(name, value)
}

// place copies a file of testdata into a new folder, and returns its path.
func place(t *testing.T, from, name string) string {
	t.Helper()
	b, err := os.ReadFile(testdata(from))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return path
}

// awkward is the name of a file whose path in a URL differs from it in every way.
const awkward = `a talk #1 50%25?&é"<b>'`

// transcribe --open writes one page next to the media, prints its path, and opens it. The page plays the media, marks the word that is spoken,
// and goes to a word that is clicked. It requests nothing else.
func TestTranscribeOpen(t *testing.T) {
	needFFmpeg(t)
	slow.Skip(t, "it starts a browser")
	if runtime.GOOS == "windows" {
		t.Skip("the name of the file is not valid")
	}
	opened := filepath.Join(t.TempDir(), "opened")
	withoutFake := os.Getenv("PATH")
	withBrowser(t, `printf %s "$*" >"`+opened+"\"\n")
	media := place(t, "conversation.mp4", awkward+".mp4")
	code, out, errOut := cli(t, "transcribe", media, "--open", "--name", "Speaker 0=Ann <i>Lee</i>")
	require.Zero(t, code, errOut)
	page := filepath.Join(filepath.Dir(media), awkward+".player.html")
	require.Equal(t, page+"\n", out)
	address, err := os.ReadFile(opened)
	require.NoError(t, err)
	require.NotContains(t, string(address), " ")

	t.Setenv("PATH", withoutFake)
	tab := browsertest.Start(t).Open(t, string(address))
	tab.Until(`document.querySelector("video").readyState >= 1 && document.querySelector(".wave canvas, .wave > div") !== null`)
	require.Equal(t, awkward, browsertest.Value[string](tab, `document.querySelector("h1").textContent`))
	require.Equal(t, "Ann <i>Lee</i>", browsertest.Value[string](tab, `document.querySelector(".who strong").textContent`))
	require.Greater(t, browsertest.Value[float64](tab, `document.querySelector("video").videoWidth`), 0.0)
	tab.Run(`document.querySelector("video").addEventListener("seeking", (e) => { window.sought ??= e.target.currentTime; })`)
	tab.Click(`[data-w="12"]`)
	tab.Until(`window.sought > 1 && !document.querySelector("video").paused`)
	tab.Until(`Number(document.querySelector(".now")?.dataset.w) >= 12`)
	tab.Until(`Number(document.querySelector(".now")?.dataset.w) > 13`) // it follows the sound
	if shot := os.Getenv("SOUNDSTAGE_SCREENSHOTS"); shot != "" {
		tab.Screenshot(filepath.Join(shot, "player.png"))
	}
	tab.Type(" ")
	tab.Until(`document.querySelector("video").paused`)
	for _, url := range tab.Requests() {
		require.Regexp(t, `^(file|data|blob):`, url)
	}
	require.Empty(t, tab.Complaints())
}

// The page's name follows the output file or the media. The transcript is written as well when -o or --format asks for it.
func TestTranscribeOpenNames(t *testing.T) {
	needFFmpeg(t)
	withBrowser(t, "exit 0\n")
	wav := place(t, "conversation.wav", "talk.wav")
	in := func(name string) string { return filepath.Join(filepath.Dir(wav), name) }
	for _, c := range []struct {
		args      []string
		out       string   // on standard output; "WEBVTT" for a transcript
		files     []string // that are there afterwards, besides the media
		mediaPath string
	}{
		{nil, in("talk.player.html") + "\n", []string{"talk.player.html"}, "talk.wav"},
		{[]string{"-o", in("x.srt")}, in("x.player.html") + "\n", []string{"x.player.html", "x.srt"}, "talk.wav"},
		{[]string{"-o", in("x.html")}, in("x.html") + "\n", []string{"x.html"}, "talk.wav"},
		{[]string{"-o", in("x.html"), "--format", "html"}, in("x.player.html") + "\n", []string{"x.html", "x.player.html"}, "talk.wav"},
		{[]string{"--format", "vtt"}, "WEBVTT", []string{"talk.player.html"}, "talk.wav"},
	} {
		code, out, errOut := cli(t, append([]string{"transcribe", wav, "--open"}, c.args...)...)
		require.Zero(t, code, errOut)
		require.True(t, strings.HasPrefix(out, c.out), "%q", out)
		var files []string
		entries, err := os.ReadDir(filepath.Dir(wav))
		require.NoError(t, err)
		for _, e := range entries {
			if e.Name() != "talk.wav" {
				files = append(files, e.Name())
			}
		}
		require.Equal(t, c.files, files, c.args)
		for _, f := range files {
			b, err := os.ReadFile(in(f))
			require.NoError(t, err)
			if strings.HasSuffix(c.out, f+"\n") || f == "talk.player.html" {
				require.True(t, strings.Contains(string(b), `"src":"`+c.mediaPath+`"`), f)
			}
			require.NoError(t, os.Remove(in(f)))
		}
		if c.out == "WEBVTT" {
			require.Contains(t, errOut, "soundstage: wrote "+in("talk.player.html"))
		}
	}
	sub := filepath.Join(filepath.Dir(wav), "out put")
	require.NoError(t, os.Mkdir(sub, 0o700))
	code, _, errOut := cli(t, "transcribe", wav, "--open", "-o", filepath.Join(sub, "page.html"))
	require.Zero(t, code, errOut)
	b, err := os.ReadFile(filepath.Join(sub, "page.html"))
	require.NoError(t, err)
	require.True(t, strings.Contains(string(b), `"src":"../talk.wav"`))
}

// A page of a URL refers to it, and knows from the download whether it has pictures.
func TestTranscribeOpenURL(t *testing.T) {
	needFFmpeg(t)
	withBrowser(t, "exit 0\n")
	media := place(t, "conversation.m4a", "any.m4a")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { http.ServeFile(w, req, media) }))
	t.Cleanup(server.Close)
	t.Chdir(t.TempDir())
	url := server.URL + "/a%20%26b.m4a?token=1&x=%3C"
	code, out, errOut := cli(t, "transcribe", url, "--open", "--allow-private-urls")
	require.Zero(t, code, errOut)
	require.Equal(t, "a &b.player.html\n", out)
	b, err := os.ReadFile("a &b.player.html")
	require.NoError(t, err)
	require.True(t, strings.Contains(string(b), `"title":"a \u0026b"`))
	require.True(t, strings.Contains(string(b), `"src":"`+strings.ReplaceAll(url, "&", `\u0026`)+`","video":false}`))
}

// A file that isn't such a page is never replaced by a name that the user didn't choose, and a folder that can't be written is reported, both
// before the work. An earlier page is replaced.
func TestTranscribeOpenNeverOverwrites(t *testing.T) {
	needFFmpeg(t)
	withBrowser(t, "exit 0\n")
	wav := place(t, "conversation.wav", "talk.wav")
	page := filepath.Join(filepath.Dir(wav), "talk.player.html")
	require.NoError(t, os.WriteFile(page, []byte("mine"), 0o600))
	code, out, errOut := cli(t, "transcribe", wav, "--open")
	require.Equal(t, 4, code, errOut)
	require.Empty(t, out)
	require.Contains(t, errOut, "The file "+page+" exists, and is not a page of --open.")
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "mine", string(b))
	require.NoError(t, os.Remove(page))
	for range 2 {
		code, _, errOut = cli(t, "transcribe", wav, "--open")
		require.Zero(t, code, errOut)
	}
	code, _, errOut = cli(t, "transcribe", wav, "--open", "-o", filepath.Join(filepath.Dir(wav), "none", "x.html"))
	require.Equal(t, 5, code, errOut)
	require.Contains(t, errOut, "can't be written")
	code, _, errOut = cli(t, "transcribe", page, "--open", "-o", page)
	require.Equal(t, 2, code, errOut)
	require.Contains(t, errOut, "The page would overwrite its input")
}

// Without a browser, the command succeeds and says where the page is. A browser that runs on doesn't keep the command.
func TestTranscribeOpenWithoutBrowser(t *testing.T) {
	needFFmpeg(t)
	wav := place(t, "conversation.wav", "talk.wav")
	page := strings.TrimSuffix(wav, ".wav") + ".player.html"
	for script, want := range map[string]string{"": "executable file not found", "echo no display >&2; exit 3\n": "exit status 3: no display"} {
		withBrowser(t, script)
		code, out, errOut := cli(t, "transcribe", wav, "--open")
		require.Zero(t, code, errOut)
		require.Equal(t, page+"\n", out)
		require.Contains(t, errOut, "No browser could be opened (")
		require.Contains(t, errOut, want)
		require.Contains(t, errOut, "Open file://"+page+" yourself.")
		require.FileExists(t, page)
	}
	withBrowser(t, "exec sleep 30\n")
	began := time.Now()
	code, _, errOut := cli(t, "transcribe", wav, "--open")
	require.Zero(t, code, errOut)
	require.NotContains(t, errOut, "browser")
	require.Less(t, time.Since(began), browserTime+20*time.Second)
}
