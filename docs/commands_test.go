//go:build unix

package docs_test

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// prelude makes commands of the pages testable: servers run in the background on a free port, and curl fails on an HTTP error.
//
//go:embed testdata/prelude.sh
var prelude string

// programDir has the program soundstage, built once.
var programDir string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if programDir, err = os.MkdirTemp("", "soundstage-docs-"); err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(programDir) }()
		return m.Run()
	}())
}

var buildProgram = sync.OnceValue(func() error {
	return executable.Build("../cmd/soundstage", filepath.Join(programDir, "soundstage"))
})

// needPrograms skips on a laptop, and fails in CI, when a program that the pages use is missing.
func needPrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing: run `make setup`", p)
			}
			t.Skipf("%s is missing: run `make setup`", p)
		}
	}
}

// The shell commands of a page run in their order in one shell, in a folder with sample media, and each of them succeeds.
func TestCommands(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it builds and runs the program")
	needPrograms(t, "ffmpeg", "curl", "jq", "node", "python3")
	require.NoError(t, buildProgram())
	commands := 0
	for _, p := range readPages(t, manual...) {
		script := scriptOf(p)
		if script == "" || p.name == "docs/go.md" || p.name == "docs/node.md" || p.name == "docs/python.md" { // emulatortest, clients/js, and clients/python run them
			continue
		}
		commands++
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := sampleFolder(t)
			for _, b := range p.blocks {
				if b.file != "" {
					require.NoError(t, os.WriteFile(filepath.Join(dir, b.file), []byte(b.text), 0o600))
				}
			}
			out, err := runScript(t, dir, prelude+script)
			require.NoError(t, err, "%s", out)
		})
	}
	require.GreaterOrEqual(t, commands, 5)
}

// scriptOf joins the shell blocks of a page. Each says where it is, for the failure message.
func scriptOf(p page) string {
	var script strings.Builder
	for _, b := range p.blocks {
		if b.language == "sh" && b.notRun == "" {
			fmt.Fprintf(&script, "echo '== %s'\n%s", b.in(p), b.text)
		}
	}
	return script.String()
}

// sampleFolder returns a new folder with the media that the pages name.
func sampleFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, source := range map[string]string{
		"talk.wav": "testdata/conversation.wav", "meeting.wav": "testdata/conversation.wav", "talk.mp3": "testdata/conversation.mp3",
		"interview.mp4": "testdata/conversation.mp4", "meeting.rttm": "testdata/conversation.rttm", "interview.vtt": "docs/pictures/podcast.vtt",
		"whisper.json": "docs/testdata/whisper.json", "soundstage.yaml": "examples/soundstage.yaml",
	} {
		raw, err := os.ReadFile(filepath.Join("..", source))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
	}
	for _, folder := range []string{"examples", "testdata"} {
		to, err := filepath.Abs(filepath.Join("..", folder))
		require.NoError(t, err)
		require.NoError(t, os.Symlink(to, filepath.Join(dir, folder)))
	}
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(bin, 0o700))
	whisper, err := os.ReadFile("testdata/whisper-cli.sh")
	require.NoError(t, err)
	executable.Write(t, filepath.Join(bin, "whisper-cli"), string(whisper))
	return dir
}

// runScript runs a script with the program in PATH. Its ports are replaced by free ones, and those of speech and language servers by
// stand-ins'.
func runScript(t *testing.T, dir, script string) (string, error) {
	t.Helper()
	port, second := executable.Port(t), executable.Port(t)
	outside := httptest.NewServer(http.HandlerFunc(serveOutside))
	t.Cleanup(outside.Close)
	replace := []string{
		"8765", port, "8766", second, "localhost:3000", hostOf(outside.URL), "https://podcast.example/feed.xml", outside.URL + "/feed.xml --allow-private-urls",
	}
	if strings.Contains(script, "--transcriber ") {
		whisper := hostOf(backendtest.NewWhisperCPP(t).URL)
		replace = append(replace, "--transcriber whispercpp", "--transcriber whispercpp --transcriber-url http://"+whisper,
			"127.0.0.1:8080", whisper, "127.0.0.1:8000", hostOf(backendtest.NewOpenAISpeech(t).URL),
			"127.0.0.1:11434", hostOf(backendtest.NewOpenAIChat(t, backendtest.ModelOptions{}).URL))
		config, err := os.ReadFile(filepath.Join(dir, "soundstage.yaml"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "soundstage.yaml"), []byte(strings.NewReplacer(replace...).Replace(string(config))), 0o600))
	}
	script = strings.NewReplacer(replace...).Replace(script)

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a loaded machine needs more than the usual 10 s
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SOUNDSTAGE_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "PATH="+programDir+string(os.PathListSeparator)+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// serveOutside stands in for the servers that the pages name: it receives webhooks and has a podcast.
func serveOutside(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/feed.xml":
		_, _ = fmt.Fprint(w, `<rss version="2.0"><channel><title>Show</title>
			<item><title>Pilot</title><guid>1</guid><enclosure url="/1.wav" type="audio/wav"/></item></channel></rss>`)
	case "/1.wav":
		http.ServeFile(w, r, "../testdata/conversation.wav")
	}
}

// hostOf returns the host and port of a stand-in.
func hostOf(address string) string {
	host := strings.TrimPrefix(address, "http://")
	host, _, _ = strings.Cut(host, "/")
	return host
}

// argument is one argument of a command line. Quotes make several words one argument.
var argument = regexp.MustCompile(`'[^']*'|\S+`)

// Commands that ask paid services are not run, but their flags are right: `soundstage doctor` accepts them.
func TestProviderFlags(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it builds and runs the program")
	needPrograms(t, "ffmpeg")
	require.NoError(t, buildProgram())
	n := 0
	p := readPage(t, "docs/backends.md")
	for _, b := range p.blocks {
		if b.language != "sh" || b.notRun == "" {
			continue
		}
		for line := range strings.Lines(b.text) {
			line, _, _ = strings.Cut(line, " #")
			_, flags, found := strings.Cut(line, " --")
			if !strings.HasPrefix(line, "soundstage ") || !found {
				continue
			}
			n++
			args := []string{"doctor", "--no-probe"}
			for _, a := range argument.FindAllString("--"+flags, -1) {
				args = append(args, strings.Trim(a, "'"))
			}
			cmd := exec.Command(filepath.Join(programDir, "soundstage"), args...)
			cmd.Env, cmd.Dir = os.Environ(), t.TempDir()
			for _, name := range backends.Variables() {
				cmd.Env = append(cmd.Env, name+"=planted-key")
			}
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %s\n%s", b.in(p), line, out)
			require.NotContains(t, string(out), "planted-key")
		}
	}
	require.Greater(t, n, 2)
}
