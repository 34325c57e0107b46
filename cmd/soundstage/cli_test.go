package main

import (
	"bytes"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize/onnx"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/golden"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Every engine code has an exit code, and only an internal error is 1.
func TestEveryCodeHasAnExitCode(t *testing.T) {
	t.Parallel()
	for _, code := range engine.Codes() {
		exit, ok := exitCodes[code]
		require.True(t, ok, code)
		require.Equal(t, code == engine.CodeInternal, exit == 1, code)
	}
}

// Each command is listed under its name, so that a command line makes only the command that it calls.
func TestCommandsHaveTheirNames(t *testing.T) {
	t.Parallel()
	for name, command := range commands {
		require.Equal(t, name, command(streams{}).Name())
	}
	require.Len(t, newRootFor([]string{"serve", "--help"}, streams{}, os.LookupEnv).Commands(), 1)
	require.Len(t, newRootFor([]string{"--version"}, streams{}, os.LookupEnv).Commands(), len(commands))
	require.Len(t, newRootFor(nil, streams{}, os.LookupEnv).Commands(), len(commands))
}

// The help of every command is reviewed as a golden file.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"serve"}, {"work"}, {"migrate"}, {"transcribe"}, {"export"}, {"check"}, {"render"}, {"clip"}, {"library"}, {"library", "add"}, {"library", "list"}, {"library", "show"}, {"library", "search"}, {"library", "relabel"}, {"library", "export"}, {"library", "clip"}, {"library", "delete"}, {"library", "edit"}, {"mcp"}, {"mcp", "library"}, {"mcp", "lab"}, {"diarize"}, {"voices"}, {"voices", "enroll"}, {"voices", "list"}, {"voices", "revoke"}, {"voices", "suggest"}, {"peaks"}, {"demo"}, {"keys"}, {"keys", "create"}, {"sweep"}, {"verify"}, {"repair"}, {"import-feed"}, {"conformance"}, {"listen"}, {"trigger"}, {"snapshot"}, {"snapshot", "save"}, {"snapshot", "load"}, {"replay"}, {"proxy"}, {"drift"}, {"fixtures"}, {"fixtures", "from"}, {"exec"}, {"doctor"}, {"healthcheck"}, {"version"}} {
		code, out, errOut := cli(t, append(args, "--help")...)
		require.Zero(t, code)
		require.Empty(t, errOut)
		name := "help-" + strings.Join(append([]string{"soundstage"}, args...), "-") + ".golden"
		path := filepath.Join("testdata", name)
		if golden.Update() {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, []byte(out), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err, "run make golden")
		require.Equal(t, string(want), out, "run make golden")
	}
	code, out, _ := cli(t)
	require.Zero(t, code, "without a command, the help is printed")
	require.Contains(t, out, "soundstage serve")
}

// --version and -v print what the version command prints, also when the environment has a variable of that name.
func TestVersion(t *testing.T) {
	t.Setenv("SOUNDSTAGE_VERSION", "0.1.0")
	code, want, errOut := cli(t, "version")
	require.Zero(t, code, errOut)
	require.Regexp(t, `^soundstage 0\.1\.0\S* \(go\S+, \w+/\w+\)\n$`, want)
	for _, flag := range []string{"--version", "-v"} {
		code, out, errOut := cli(t, flag)
		require.Zero(t, code, errOut)
		require.Equal(t, want, out)
		require.Empty(t, errOut)
	}
	code, out, errOut := cli(t)
	require.Zero(t, code, errOut)
	require.Contains(t, out, "-v, --version   print the version\n")
}

// A wrong command line exits with 2 and says what is wrong and where the help is.
func TestWrongCommandLines(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"nothing":                            `unknown command "nothing"`,
		"help rendr":                         "Did you mean render?",
		"help library ad":                    "Did you mean add?",
		"help render more":                   `unknown command "more"`,
		"transcribe":                         "expected one file or URL (got 0 arguments)",
		"transcribe a b":                     "expected one file or URL (got 2 arguments)",
		"transcribe --what":                  "--what",
		"transcribe x --format doc":          `Unknown format "doc"`,
		"transcribe x -o y.doc":              `Unknown format "doc"`,
		"transcribe x --language xx":         `"xx" is not supported`,
		"serve --clock fast":                 `"fast" is not a clock mode`,
		"serve --log loud":                   `Unknown log format "loud"`,
		"serve --addr nowhere":               "not an address",
		"serve --addr :0":                    "loopback",
		"serve --secret-file /nothing":       "secret file",
		"keys create":                        "--data",
		"keys create --data DIR --tier gold": "gold",
		"keys delete --data DIR":             "id of a key",
		"keys nothing":                       "nothing",
	} {
		dir := t.TempDir()
		code, out, errOut := cli(t, strings.Fields(strings.ReplaceAll(line, "DIR", dir))...)
		require.Equal(t, 2, code, "%s: %s", line, errOut)
		require.Empty(t, out, line)
		require.True(t, strings.HasPrefix(errOut, "soundstage: "), errOut)
		require.Contains(t, errOut, says, line)
	}
}

// transcribe accepts files of several kinds and URLs, and writes every format.
func TestTranscribe(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it transcribes the same media for each format")
	needFFmpeg(t)
	var wav string
	for _, name := range []string{"conversation.wav", "conversation.mp3", "conversation.m4a", "conversation.mp4"} {
		code, out, errOut := cli(t, "transcribe", testdata(name), "--speakers", "2", "--no-timestamps")
		require.Zero(t, code, errOut)
		require.Empty(t, errOut, "no progress bar without a terminal")
		require.Contains(t, out, "Speaker 1:\n")
		require.Contains(t, out, "Speaker 1:\n")
		if wav == "" {
			wav = out
		}
	}
	code, again, _ := cli(t, "transcribe", testdata("conversation.wav"), "--speakers", "2", "--no-timestamps")
	require.Zero(t, code)
	require.Equal(t, wav, again)

	files := httptest.NewServer(http.FileServer(http.Dir(testdata(""))))
	defer files.Close()
	code, out, errOut := cli(t, "transcribe", files.URL+"/conversation.wav", "--allow-private-urls", "--speakers", "2", "--no-timestamps")
	require.Zero(t, code, errOut)
	require.Equal(t, wav, out, "a URL has the same transcript as the file")

	dir := t.TempDir()
	for _, f := range formats.All() {
		if f.Name == chaptersFormat {
			continue
		}
		path := filepath.Join(dir, "out"+f.Extension)
		code, out, errOut := cli(t, "transcribe", testdata("conversation.wav"), "-o", path)
		require.Zero(t, code, errOut)
		require.Empty(t, out)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotEmpty(t, b, f.Name)
	}
	code, out, _ = cli(t, "transcribe", testdata("german.m4a"), "--format", "json")
	require.Zero(t, code)
	require.Contains(t, out, `"language":"de"`, "the file's language tag decides")
	code, out, _ = cli(t, "transcribe", testdata("conversation.wav"), "--word", "Soundstage")
	require.Zero(t, code)
	require.Contains(t, out, "Soundstage")
}

// Each kind of unusable media fails with its own message and exit code, and writes nothing.
func TestTranscribeFailures(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	files := httptest.NewServer(http.FileServer(http.Dir(testdata(""))))
	defer files.Close()
	dir := t.TempDir()
	for _, c := range []struct {
		what string
		code int
		says string
	}{
		{filepath.Join(dir, "nothing.wav"), 3, "nothing.wav"},
		{dir, 3, "regular"},
		{testdata("notmedia.wav"), 6, "supported format"},
		{testdata("empty.wav"), 6, "empty"},
		{testdata("videoonly.mp4"), 6, "no audio"},
		{testdata("tooshort.wav"), 6, "too short"},
		{testdata("playlist.mp4"), 6, "format"},
		{"http://127.0.0.1/conversation.wav", 7, "public"},
		{files.URL + "/nothing.wav", 7, "public"},
		{"http://8.8.8.8:22/a.wav", 2, "port"},
		{"ftp://host/a.wav", 2, "url"},
	} {
		out := filepath.Join(dir, "out.txt")
		code, stdout, errOut := cli(t, "transcribe", c.what, "-o", out)
		require.Equal(t, c.code, code, "%s: %s", c.what, errOut)
		require.Contains(t, errOut, c.says, c.what)
		require.Empty(t, stdout)
		require.NoFileExists(t, out)
	}
	code, _, errOut := cli(t, "transcribe", testdata("tone.wav"), "-o", filepath.Join(dir, "no", "such", "folder.txt"))
	require.Equal(t, 5, code, errOut)
}

// demo saves transcripts and videos, and prints their names.
func TestDemo(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir := filepath.Join(t.TempDir(), "out")
	code, out, errOut := cli(t, "demo", "-o", dir)
	require.Zero(t, code, errOut)
	require.Contains(t, out, "Speaker 1:")
	for _, f := range formats.Standard() {
		require.FileExists(t, filepath.Join(dir, "conversation"+f.Extension))
		require.Contains(t, out, "conversation"+f.Extension)
	}
	page, err := os.ReadFile(filepath.Join(dir, "conversation.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), `<video src="conversation.mp4" controls`)
	for _, name := range []string{"clip.mp4", "audiogram.mp4", "conversation.mp4"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(50_000), name)
	}
	for _, ext := range []string{".mp4", ".m4a"} {
		demo, err := os.ReadFile("demo" + ext)
		require.NoError(t, err)
		shared, err := os.ReadFile(testdata("conversation" + ext))
		require.NoError(t, err)
		require.True(t, bytes.Equal(shared, demo), "demo%s must equal testdata/conversation%[1]s", ext)
	}
}

// demo --base-url needs a URL and a secret.
func TestDemoServerMistakes(t *testing.T) {
	t.Setenv("SOUNDSTAGE_SECRET", "")
	for base, says := range map[string]string{"localhost:8765": "not a valid base URL", "http://127.0.0.1:1": "Set SOUNDSTAGE_SECRET."} {
		code, _, errOut := cli(t, "demo", "--base-url", base, "-o", t.TempDir())
		require.Equal(t, 2, code, errOut)
		require.Contains(t, errOut, says)
	}
}

// Each line of a secret file has a tier and a secret of at least 16 characters.
func TestSecretFile(t *testing.T) {
	t.Parallel()
	read := func(text string) error {
		path := filepath.Join(t.TempDir(), "secrets")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := readSecrets(path)
		return err
	}
	require.NoError(t, read("# ours\n\ncore  0123456789abcdef\nplatform fedcba9876543210\n"))
	for _, text := range []string{"", "core", "gold 0123456789abcdef", "core short", "core sk_sandbox_core_long_enough", "core 0123456789abcdef x"} {
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(read(text)), text)
	}
}

// export writes other formats next to the input or to a folder. The error for an invalid file has the line and column.
func TestExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.srt")
	require.NoError(t, os.WriteFile(in, []byte("1\n00:00:01,000 --> 00:00:03,500\nAda: Hello & welcome.\n\n2\n00:00:04,000 --> 00:00:06,000\nBob: Thanks!\n"), 0o600))
	code, out, errOut := cli(t, "export", in, "--to", "vtt,txt,docx,pdf,json", "-o", filepath.Join(dir, "out"), "--title", "A talk")
	require.Zero(t, code, errOut)
	require.Equal(t, 5, strings.Count(out, "\n"))
	b, err := os.ReadFile(filepath.Join(dir, "out", "talk.vtt"))
	require.NoError(t, err)
	require.Contains(t, string(b), "<v Ada>Hello &amp; welcome.")
	code, out, _ = cli(t, "export", in, "--to", "ttml,ebuttd,ass")
	require.Zero(t, code)
	for _, extension := range []string{".ttml", ".ebuttd.xml", ".ass"} {
		require.Contains(t, out, filepath.Join(dir, "talk"+extension)+"\n")
		code, _, errOut = cli(t, "export", filepath.Join(dir, "talk"+extension), "--to", "txt", "-o", filepath.Join(dir, "again"))
		require.Zero(t, code, errOut)
	}
	code, _, errOut = cli(t, "export", in, "--to", "lrc", "--word-times")
	require.Zero(t, code, errOut)
	b, err = os.ReadFile(filepath.Join(dir, "talk.lrc"))
	require.NoError(t, err)
	require.Contains(t, string(b), "[00:01.00]Ada: <00:01.00>Hello <")
	code, out, _ = cli(t, "export", in, "--to", "csv")
	require.Zero(t, code)
	require.Equal(t, filepath.Join(dir, "talk.csv")+"\n", out, "next to the input")

	broken := filepath.Join(dir, "broken.srt")
	require.NoError(t, os.WriteFile(broken, []byte("1\n00:00:01,000 --> nowhere\nHello\n"), 0o600))
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{in}, 2, "--to"},
		{[]string{in, "--to", "doc"}, 2, `"doc"`},
		{[]string{in, "--to", "srt"}, 2, "overwrite its input"},
		{[]string{in, "--to", "vtt", "--language", "xx"}, 2, "xx"},
		{[]string{filepath.Join(dir, "nothing.srt"), "--to", "vtt"}, 3, "nothing.srt"},
		{[]string{broken, "--to", "vtt"}, 2, "line 2"},
		{[]string{in, "--to", "vtt", "--profile", "cinema"}, 2, "netflix, bbc, youtube, social"},
		{[]string{in, "--to", "vtt", "--max-chars", "2"}, 2, "--max-chars must be between 4 and 500 (got 2)."},
		{[]string{in, "--to", "vtt", "--gap", "-1s"}, 2, "--gap must be between 0s and 10s (got -1s)."},
		{[]string{in, "--to", "vtt", "--min", "2s", "--max", "1s"}, 2, "--min"},
		{[]string{testdata("tone.wav"), "--to", "vtt"}, 2, "transcript"},
	} {
		code, _, errOut := cli(t, append([]string{"export"}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Contains(t, strings.ToLower(errOut), c.says, c.args)
	}
}

// export takes the limits of captions from a profile and from flags, and reports captions that are too fast to read.
func TestExportLimits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.vtt")
	require.NoError(t, os.WriteFile(in, []byte("WEBVTT\n\n00:01.000 --> 00:07.500\nThis sentence is a bit longer than the lines of captions for telephones are.\n"), 0o600))
	for _, c := range []struct {
		args []string
		want string // texts and times of cues
		says string
	}{
		{nil, "00:00:01,000 --> 00:00:07,500/This sentence is a bit longer than/the lines of captions for telephones are.", ""},
		{[]string{"--profile", "social"}, "00:00:01,000 --> 00:00:02,435/This sentence is|00:00:02,435 --> 00:00:04,799/a bit longer/than the lines|" +
			"00:00:04,799 --> 00:00:07,500/of captions/for telephones are.", ""},
		{[]string{"--profile", "social", "--max-chars", "80", "--gap", "100ms"}, "00:00:01,000 --> 00:00:02,335/This sentence is|" +
			"00:00:02,435 --> 00:00:04,699/a bit longer than the lines|00:00:04,799 --> 00:00:07,500/of captions for telephones are.", ""},
		{[]string{"--max-lines", "1"}, "00:00:01,000 --> 00:00:02,351/This sentence is|00:00:02,435 --> 00:00:04,715/a bit longer than the lines|" +
			"00:00:04,799 --> 00:00:07,500/of captions for telephones are.", ""},
		{[]string{"--max", "3s", "--gap", "0"}, "00:00:01,000 --> 00:00:02,435/This sentence is|00:00:02,435 --> 00:00:04,799/a bit longer than the lines|" +
			"00:00:04,799 --> 00:00:07,500/of captions for telephones are.", ""},
		{[]string{"--cps", "5"}, "00:00:01,000 --> 00:00:07,500/This sentence is a bit longer than/the lines of captions for telephones are.",
			"soundstage: Faster than 5 characters per second: 1 of 1 captions, the first at 0:00:01.000.\n"},
	} {
		code, _, errOut := cli(t, append([]string{"export", in, "--to", "srt", "--language", "en", "-o", dir}, c.args...)...)
		require.Zero(t, code, errOut)
		b, err := os.ReadFile(filepath.Join(dir, "talk.srt"))
		require.NoError(t, err)
		var cues []string
		for cue := range strings.SplitSeq(strings.TrimSpace(string(b)), "\r\n\r\n") {
			_, timed, _ := strings.Cut(cue, "\r\n")
			cues = append(cues, strings.ReplaceAll(timed, "\r\n", "/"))
		}
		require.Equal(t, c.want, strings.Join(cues, "|"), c.args)
		require.Equal(t, c.says, errOut)
	}
}

// export counts the captions of the first file that has some: a dialogue is one caption, and names in the lines are read, too.
func TestExportFastCaptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.json")
	require.NoError(t, os.WriteFile(in, []byte(`{"utterances":[{"speaker":"Ann","text":"Ready?","start":1000,"end":1600},{"speaker":"Bob","text":"No.","start":1650,"end":2200}]}`), 0o600))
	for to, want := range map[string]string{
		"vtt": "soundstage: Faster than 5 characters per second: 1 of 1 captions, the first at 0:00:01.000.\n", "txt": "",
		"lrc,vtt":     "soundstage: Faster than 5 characters per second: 2 of 2 captions, the first at 0:00:01.000.\n",
		"txt,vtt,lrc": "soundstage: Faster than 5 characters per second: 1 of 1 captions, the first at 0:00:01.000.\n",
	} {
		code, _, errOut := cli(t, "export", in, "--to", to, "--language", "en", "--cps", "5")
		require.Zero(t, code, errOut)
		require.Equal(t, want, errOut, to)
	}
}

// render makes a captioned clip from a video, and leaves no partial files on errors.
func TestRender(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir := t.TempDir()
	code, _, errOut := cli(t, "transcribe", testdata("conversation.wav"), "-o", filepath.Join(dir, "talk.vtt"))
	require.Zero(t, code, errOut)
	clip := filepath.Join(dir, "clip.mp4")
	code, out, errOut := cli(t, "render", testdata("conversation.mp4"), filepath.Join(dir, "talk.vtt"), "--to", "3s", "--aspect", "original", "--title", "Talk", "--cps", "3", "-o", clip, "--poster", filepath.Join(dir, "clip.jpg"))
	require.Zero(t, code, errOut)
	require.Contains(t, errOut, "Faster than 3 characters per second: ")
	require.Contains(t, out, "320×180")
	require.FileExists(t, clip)
	picture, err := os.Open(filepath.Join(dir, "clip.jpg"))
	require.NoError(t, err)
	defer func() { _ = picture.Close() }()
	shown, err := jpeg.DecodeConfig(picture)
	require.NoError(t, err)
	require.Equal(t, []int{320, 180}, []int{shown.Width, shown.Height})
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"MEDIA", 2, "-o is required"},
		{"MEDIA -o OUT --from 5s --to 4s", 2, "--to"},
		{"MEDIA -o OUT --aspect 2:1", 2, "2:1"},
		{"MEDIA -o OUT --style loud", 2, "loud"},
		{"MEDIA -o OUT --fit tight", 2, "tight"},
		{"MEDIA -o OUT --poster clip.png", 2, ".jpg"},
		{"MEDIA -o OUT --from 99s --to 100s", 2, "--from must be before the end of the media"},
		{"MEDIA -o OUT --to 100ms", 6, "spoken words"},
		{"MEDIA nothing.srt -o OUT --to 3s", 3, "nothing.srt"},
		{"nothing.mp4 -o OUT", 3, "nothing.mp4"},
		{"../../testdata/notmedia.wav -o OUT", 6, "format"},
	} {
		out := filepath.Join(dir, "out.mp4")
		line := strings.NewReplacer("MEDIA", testdata("conversation.mp4"), "OUT", out).Replace(c.line)
		code, _, errOut := cli(t, append([]string{"render"}, strings.Fields(line)...)...)
		require.Equal(t, c.code, code, "%s: %s", c.line, errOut)
		require.Contains(t, errOut, c.says, c.line)
		require.NoFileExists(t, out)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 3)
}

// A killed render leaves a partial video and temporary files, which the next render removes.
func TestRenderAfterKill(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir, temp := t.TempDir(), t.TempDir()
	args := []string{"render", testdata("conversation.mp4"), "-o", filepath.Join(dir, "clip.mp4"), "--to"}
	start := func(to string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], append(args, to)...)
		cmd.Env = append(os.Environ(), "SOUNDSTAGE_TEST_MAIN=1", "TMPDIR="+temp)
		require.NoError(t, cmd.Start())
		return cmd
	}
	left := func() (names []string) {
		for _, folder := range []string{dir, temp} {
			entries, err := os.ReadDir(folder)
			require.NoError(t, err)
			for _, e := range entries {
				names = append(names, filepath.Ext(e.Name()))
			}
		}
		return names
	}
	killed := start("20s")
	require.Eventually(t, func() bool { return len(left()) == 2 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())
	require.Equal(t, []string{".part", ".tmp"}, left())
	require.NoError(t, start("2s").Wait())
	require.Equal(t, []string{".mp4"}, left())
}

// Every command that needs ffmpeg first rejects an old version, with the required version and how to install it. A WAV file of 16 kHz mono needs
// none: no process is started.
func TestOldFFmpeg(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	dir := t.TempDir()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		script := "#!/bin/sh\ncase \"$1\" in -version) echo '" + name + ` version 4.2.7-0ubuntu0.1 Copyright' ;; *) echo '{"program_version":{"version":"4.2.7-0ubuntu0.1"}}' ;; esac` + "\n"
		executable.Write(t, filepath.Join(dir, name), script)
	}
	t.Setenv("PATH", dir)
	out := filepath.Join(dir, "out.mp4")
	for _, args := range [][]string{
		{"serve", "--addr", "127.0.0.1:0"},
		{"transcribe", testdata("conversation.mp4")},
		{"render", testdata("conversation.mp4"), "-o", out},
		{"diarize", testdata("conversation.mp4")},
		{"demo", "-o", filepath.Join(dir, "demo")},
	} {
		code, _, errOut := cli(t, args...)
		require.Equal(t, 5, code, "%v: %s", args, errOut)
		require.Contains(t, errOut, "too old: it is 4.2.7, and 4.4 or newer is needed.", args)
		require.Contains(t, errOut, "apt install ffmpeg", args)
	}
	require.NoFileExists(t, out)
	for _, args := range [][]string{{"transcribe", testdata("conversation.wav"), "-o", filepath.Join(dir, "words.json")}, {"diarize", testdata("conversation.wav")}} {
		code, _, errOut := cli(t, args...)
		require.Zero(t, code, "%v: %s", args, errOut)
	}
}

// Without ffmpeg, a command says so once, and what to do. Only a sandbox can do without.
func TestNoFFmpeg(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	const install = "Install FFmpeg 4.4 or newer with libass and libx264: apt install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS), winget install ffmpeg (Windows)."
	const said = "soundstage: ffmpeg and ffprobe are not installed, or not in PATH.\n  " + install
	const optional = " Or set --ffmpeg-optional: then only WAV files can be transcribed, and nothing is rendered."
	for _, c := range []struct {
		want string
		args []string
	}{
		{said + optional, []string{"serve", "--addr", "127.0.0.1:0"}},
		{said, []string{"transcribe", testdata("tone.wav")}},
		{said, []string{"render", testdata("conversation.mp4"), "-o", filepath.Join(dir, "out.mp4")}},
		{said, []string{"diarize", testdata("tone.wav")}},
		{said, []string{"demo", "-o", filepath.Join(dir, "demo")}},
	} {
		code, _, errOut := cli(t, c.args...)
		require.Equal(t, 5, code, "%v: %s", c.args, errOut)
		require.Equal(t, c.want+"\n", errOut, c.args)
	}
}

// diarize separates the voices of a conversation, prints a table or RTTM, and scores the result against a reference.
func TestDiarize(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	needFFmpeg(t)
	code, out, errOut := cli(t, "diarize", testdata("conversation.mp4"), "--score", testdata("conversation.rttm"))
	require.Zero(t, code, errOut)
	require.Contains(t, out, "Speaker 1 spoke for")
	require.NotContains(t, out, "Speaker 2")
	require.Contains(t, out, "confusion 0.0")
	code, out, errOut = cli(t, "diarize", testdata("conversation.wav"), "--rttm", "--score", testdata("conversation.rttm"))
	require.Zero(t, code, errOut)
	require.True(t, strings.HasPrefix(out, "SPEAKER conversation 1 0."), out)
	require.Contains(t, errOut, "DER")
	code, out, _ = cli(t, "diarize", testdata("silence.wav"))
	require.Zero(t, code)
	require.Contains(t, out, "No speech found.")
	for what, want := range map[string]int{"nothing.wav": 3, "notmedia.wav": 6, "videoonly.mp4": 6} {
		code, _, errOut := cli(t, "diarize", testdata(what))
		require.Equal(t, want, code, "%s: %s", what, errOut)
	}
	code, _, _ = cli(t, "diarize", testdata("tone.wav"), "--speakers", "-1")
	require.Equal(t, 2, code)
}

// A voice model that can't be used is an error before anything is decoded: never a silent fallback to the other method.
func TestDiarizeVoiceModel(t *testing.T) {
	t.Parallel()
	wav := testdata("tone.wav")
	code, _, errOut := cli(t, "diarize", wav, "--voice-model", "nowhere.onnx")
	require.Equal(t, 3, code)
	require.Contains(t, errOut, "The voice model nowhere.onnx does not exist.")
	code, _, errOut = cli(t, "diarize", wav, "--onnxruntime", "libonnxruntime.so")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--onnxruntime is only used with --voice-model.")
	if !onnx.Supported {
		code, _, errOut = cli(t, "diarize", wav, "--voice-model", wav)
		require.Equal(t, 5, code)
		require.Contains(t, errOut, "go build -tags onnxruntime")
	}
}

// The longest extension chooses the format, so that JSON formats with an extension of their own aren't written as json.
func TestFormatOf(t *testing.T) {
	t.Parallel()
	for _, f := range formats.All() {
		require.Equal(t, f.Name, formatOf("talks/a.b"+f.Extension))
	}
	require.Equal(t, "chapters", formatOf("TALK.CHAPTERS.JSON"))
	require.Equal(t, "json", formatOf("chapters.json"))
	require.Equal(t, "doc", formatOf("talk.doc"))
	require.Empty(t, formatOf("talk"))
}
