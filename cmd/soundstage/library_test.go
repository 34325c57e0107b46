package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/fake"
	enginefiles "github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// copyMedia copies a test file.
func copyMedia(t *testing.T, name, to string) {
	t.Helper()
	b, err := os.ReadFile(testdata(name))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
	require.NoError(t, os.WriteFile(to, b, 0o600))
}

// lib runs a command of a library that must succeed, and returns its output.
func lib(t *testing.T, data string, args ...string) string {
	t.Helper()
	code, out, errOut := cli(t, append([]string{"library", args[0], "--data", data}, args[1:]...)...)
	require.Zero(t, code, "%v: %s%s", args, out, errOut)
	return out
}

// jsonLines parses one JSON object per line.
func jsonLines[T any](t *testing.T, out string) (values []T) {
	t.Helper()
	for line := range strings.Lines(out) {
		var v T
		require.NoError(t, json.Unmarshal([]byte(line), &v), line)
		values = append(values, v)
	}
	return values
}

// addedLine is a line of `library add --json`.
type addedLine struct {
	Result, Input, Error string
	Recording            *libraryRecording
}

// resultsOf returns the results by the base name of the input.
func resultsOf(t *testing.T, out string) map[string]string {
	t.Helper()
	results := map[string]string{}
	for _, line := range jsonLines[addedLine](t, out) {
		name := filepath.Base(line.Input)
		require.NotContains(t, results, name)
		results[name] = line.Result
	}
	return results
}

// A folder is added once: media by content, in subfolders, too, but neither hidden files nor the library itself. Other files of the folder
// are skipped, and a file that has changed is reported. Then the recordings are listed, shown, searched, named, and exported.
func TestLibrary(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	dir := t.TempDir()
	media, data := filepath.Join(dir, "media"), filepath.Join(dir, "media", "lib")
	copyMedia(t, "conversation.wav", filepath.Join(media, "talk.wav"))
	copyMedia(t, "german.m4a", filepath.Join(media, "sub", "german without extension"))
	for _, name := range []string{"notmedia.wav", "videoonly.mp4", "make.sh", "empty.wav"} {
		copyMedia(t, name, filepath.Join(media, name))
	}
	copyMedia(t, "tone.wav", filepath.Join(media, ".hidden.wav"))
	copyMedia(t, "tone.wav", filepath.Join(media, ".trash", "tone.wav"))
	copyMedia(t, "tone.wav", filepath.Join(data, "tone.wav"))

	out := lib(t, data, "add", media, filepath.Join(media, "talk.wav"), "--json", "--tag", "show=News", "--tag", "year=2026")
	require.Equal(t, map[string]string{"talk.wav": "added", "german without extension": "added", "notmedia.wav": "skipped", "videoonly.mp4": "skipped"}, resultsOf(t, out))
	later := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(media, "talk.wav"), later, later))
	out = lib(t, data, "add", media, "--json")
	require.Equal(t, map[string]string{"talk.wav": "changed", "german without extension": "known", "notmedia.wav": "skipped", "videoonly.mp4": "skipped"}, resultsOf(t, out))
	out = lib(t, data, "add", media)
	require.Contains(t, out, "the file has changed since")
	require.True(t, strings.HasSuffix(out, "0 added, 2 already there, 2 skipped\n"), out)

	list := jsonLines[libraryRecording](t, lib(t, data, "list", "--json"))
	require.Len(t, list, 2)
	talk := jsonLines[libraryRecording](t, lib(t, data, "list", "--json", "--source", filepath.Join(media, "talk.wav"), "--tag", "show=News"))[0]
	require.Equal(t, "completed", string(talk.Status))
	require.Equal(t, "talk", talk.Title)
	require.Equal(t, map[string]string{"show": "News", "year": "2026"}, talk.Tags)
	require.Empty(t, lib(t, data, "list", "--json", "--tag", "show=Sport"))
	require.Contains(t, lib(t, data, "list", "--title", "TAL"), "  show=News year=2026  ")

	number := "#" + jsonNumber(talk.Number)
	require.Contains(t, lib(t, data, "show", number), "] Speaker 0:\n")
	require.Equal(t, number+" is named\n", strings.ReplaceAll(lib(t, data, "relabel", string(talk.ID), "--name", "Speaker 0=Ann Lee"), "Speaker 0 is Ann Lee", number+" is named"))
	shown := jsonLines[libraryTranscript](t, lib(t, data, "show", talk.Source, "--json"))[0]
	require.Equal(t, map[string]string{"Speaker 0": "Ann Lee"}, shown.Names)
	require.Equal(t, "Ann Lee", shown.Utterances[0].Speaker)
	word, _, _ := strings.Cut(shown.Utterances[0].Text, " ")
	match := jsonLines[libraryMatch](t, lib(t, data, "search", word, "--json", "--in", "transcripts"))[0]
	require.NotNil(t, match.StartMS)
	require.Contains(t, lib(t, data, "search", word), "#")
	require.Empty(t, lib(t, data, "search", "xylophonist"))

	exported := filepath.Join(dir, "out")
	require.Len(t, strings.Fields(lib(t, data, "export", "--all", "--to", "srt,json", "-o", exported)), 4+2*2, "a title has 3 words") // "german without extension-2"
	text, err := os.ReadFile(filepath.Join(exported, "talk-"+jsonNumber(talk.Number)+".srt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "Ann Lee: ")
	requireTidy(t, data)
}

// A recording is found by the path that it was added from, also through a symbolic link, and after the file was removed. Control characters
// of file names don't reach the terminal.
func TestLibraryPaths(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	media, link, data := filepath.Join(dir, "media"), filepath.Join(dir, "link"), filepath.Join(dir, "lib")
	odd := "two\nlines \x1b[31m.wav"
	copyMedia(t, "tone.wav", filepath.Join(media, "sub", "gone.wav"))
	copyMedia(t, "tone.wav", filepath.Join(media, odd))
	if err := os.Symlink(media, link); err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "%v", err)
		t.Skip(err)
	}
	out := lib(t, data, "add", link)
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 3, out)
	require.NotContains(t, out, "\x1b")
	require.Contains(t, out, "two lines  [31m.wav)")
	for range 2 {
		for _, path := range []string{filepath.Join(media, "sub", "gone.wav"), filepath.Join(link, "sub", "gone.wav"), filepath.Join(link, odd)} {
			require.NotEmpty(t, lib(t, data, "show", path))
			require.Len(t, jsonLines[libraryRecording](t, lib(t, data, "list", "--json", "--source", path)), 1)
		}
		require.NoError(t, os.RemoveAll(filepath.Join(media, "sub")))
		require.NoError(t, os.RemoveAll(filepath.Join(media, odd)))
	}
}

func jsonNumber(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// requireTidy checks that no temporary file is left in a data folder.
func requireTidy(t *testing.T, data string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join(data, "tmp"), func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		require.True(t, d.IsDir(), path)
		return nil
	}))
}

// A deleted recording leaves no stored bytes, is no longer found, and can be added again. An unfinished transcription of another recording
// goes on with the next add.
func TestLibraryDelete(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	dir := t.TempDir()
	data, talk := filepath.Join(dir, "lib"), filepath.Join(dir, "talk.wav")
	copyMedia(t, "conversation.wav", talk)
	lib(t, data, "add", talk, testdata("german.m4a"))
	waiting := queueOne(t, data)
	before := storedFiles(t, data)
	first := jsonLines[libraryRecording](t, lib(t, data, "list", "--json", "--source", talk))[0]
	require.Equal(t, "deleted #"+jsonNumber(first.Number)+" talk\n", lib(t, data, "delete", talk, string(first.ID)))
	require.Equal(t, before-1, storedFiles(t, data))
	require.Empty(t, lib(t, data, "list", "--json", "--source", talk))
	code, out, errOut := cli(t, "library", "delete", "--data", data, testdata("german.m4a"), talk)
	require.Equal(t, 3, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "There is no recording "+talk)

	out = lib(t, data, "add", talk, "--json")
	require.Equal(t, map[string]string{"talk.wav": "added", "waiting.wav": "added"}, resultsOf(t, out))
	status := jsonLines[libraryRecording](t, lib(t, data, "list", "--json", "--source", waiting))[0].Status
	require.Equal(t, "completed", string(status))
}

// queueOne adds a file to a library whose work nobody does, and returns its path.
func queueOne(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "waiting.wav")
	copyMedia(t, "conversation.wav", path)
	ports := engine.Config{Media: wav.Media{}, Transcriber: &fake.Transcriber{Media: wav.Media{}}}
	require.NoError(t, openLibrary(t.Context(), data, ports, func(ctx context.Context, l *library) error {
		_, err := l.AddFile(ctx, l.me, path, engine.NewFile{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: pathID(path)}}})
		return err
	}))
	return path
}

// A transcription that failed because the transcriber was unavailable is tried again with the next add; one that found bad media isn't.
func TestLibraryRetries(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	data, folder := filepath.Join(t.TempDir(), "lib"), t.TempDir()
	for name, code := range map[string]engine.Code{"down.wav": engine.CodeUnavailable, "bad.wav": engine.CodeBadMedia} {
		path := filepath.Join(folder, name)
		copyMedia(t, "conversation.wav", path)
		ports := engine.Config{Media: wav.Media{}, Transcriber: failing{code}}
		require.NoError(t, openLibrary(t.Context(), data, ports, func(ctx context.Context, l *library) error {
			return l.work(ctx, func(ctx context.Context) error {
				r, err := l.AddFile(ctx, l.me, path, engine.NewFile{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: pathID(path)}}})
				require.NoError(t, err)
				_, err = l.wait(ctx, r.ID)
				require.Equal(t, code, engine.CodeOf(err))
				return nil
			})
		}))
	}
	code, out, errOut := cli(t, "library", "add", folder, "--data", data, "--json")
	require.Equal(t, 6, code, errOut)
	require.Equal(t, map[string]string{"down.wav": "added", "bad.wav": "failed"}, resultsOf(t, out))
}

// The line of a failure says what to do: repeat the command if the next one tries again, else delete the recording.
func TestFailedAddition(t *testing.T) {
	t.Parallel()
	for code, want := range map[engine.Code]string{
		engine.CodeUnavailable: "failed   #1 T (x): It failed. The next add tries again.",
		engine.CodeNoSpeech:    "failed   #1 T (x): It failed. Delete the recording to add it again.",
	} {
		a := addition{
			source: source{name: "x"}, result: resultFailed, recording: engine.Recording{ID: "id", Number: 1, Title: "T"},
			err: engine.Errorf(code, "", "It failed."),
		}
		require.Equal(t, want, a.String())
	}
}

// A service that asks for a long wait fails a command that somebody waits for at once, unless --retry-for allows the wait.
func TestLongRetryAfter(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	backend := []string{"--transcriber", "openai", "--transcriber-url", server.URL + "/v1"}
	for _, args := range [][]string{{"transcribe", testdata("tone.wav")}, {"library", "add", testdata("tone.wav"), "--data", t.TempDir()}} {
		code, _, errOut := cli(t, append(args, backend...)...)
		require.Equal(t, 5, code)
		require.Contains(t, errOut, "received too many requests")
	}
	_, retry, err := speechFlags{backends: &backends.Backends{}, wanted: backendFlags{retryFor: time.Hour}}.transcriber(nil)
	require.NoError(t, err)
	require.Equal(t, [2]time.Duration{time.Hour, time.Hour}, [2]time.Duration{retry.Outage, retry.Longest})
}

// failing is a transcriber that always fails.
type failing struct{ code engine.Code }

func (f failing) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{}, engine.Errorf(f.code, "Transcribe", "It failed.")
}

// storedFiles returns how many files are in the blobs of a data folder, without their records.
func storedFiles(t *testing.T, data string) (n int) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join(data, "blobs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, "@meta") {
			n++
		}
		return err
	}))
	return n
}

// A clip is the best suggestion or a part, and --list prints the suggestions. The flags for files are those of clip.
func TestLibraryClip(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir := t.TempDir()
	data, clip, poster := filepath.Join(dir, "lib"), filepath.Join(dir, "clip.mp4"), filepath.Join(dir, "clip.jpg")
	lib(t, data, "add", testdata("conversation.mp4"), testdata("tone.wav"))
	best := jsonLines[librarySuggestion](t, lib(t, data, "clip", testdata("conversation.mp4"), "--list", "--json"))[0]
	require.Equal(t, 1, best.Number)
	made := jsonLines[libraryClip](t, lib(t, data, "clip", testdata("conversation.mp4"), "--aspect", "original", "-o", clip, "--poster", poster, "--json"))[0]
	require.Equal(t, [2]int64{best.StartMS, best.EndMS}, [2]int64{made.StartMS, made.EndMS})
	for _, path := range []string{clip, poster} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(4_000), path)
	}
	lib(t, data, "relabel", testdata("conversation.mp4"), "--name", "Speaker 0=Ann Lee")
	part := []string{"clip", testdata("conversation.mp4"), "--start", "0:00.1", "--to", "2s", "--aspect", "1:1", "--style", "named", "--sidecar", "vtt", "-o", clip}
	require.Contains(t, lib(t, data, append(part, "--draft", "--force")...), "clip.mp4: from ")
	shown, err := (render.FFmpeg{}).Probe(t.Context(), enginefiles.Source(clip))
	require.NoError(t, err)
	require.Equal(t, []int{360, 360}, []int{shown.Video.Width, shown.Video.Height})
	sidecar, err := os.ReadFile(filepath.Join(dir, "clip.vtt"))
	require.NoError(t, err)
	require.Contains(t, string(sidecar), "<v Ann Lee>", "the style shows names that the recording has")
	still := jsonLines[libraryClip](t, lib(t, data, append(part, "--preview", "--force", "--json")...))[0]
	require.Equal(t, []any{poster, 1080, 1080, filepath.Join(dir, "clip.vtt")}, []any{still.Path, still.Width, still.Height, still.Sidecar})
	code, _, errOut := cli(t, "library", "clip", testdata("conversation.mp4"), "--data", data, "--suggestion", "99", "-o", clip, "--force")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "(got --suggestion 99)")
	requireTidy(t, data)
}

// Wrong flags, unknown recordings, a folder without a library, and one that another process uses are errors that say what to do.
func TestLibraryErrors(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	dir := t.TempDir()
	data, used, clip := filepath.Join(dir, "lib"), filepath.Join(dir, "used"), filepath.Join(dir, "clip.mp4")
	lib(t, data, "add", testdata("tone.wav"))
	lib(t, used, "add")
	store, err := sqlite.Open(t.Context(), filepath.Join(used, databaseFile))
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"list"}, 2, "--data is required"},
		{[]string{"list", "--data", filepath.Join(dir, "typo")}, 3, "There is no library in"},
		{[]string{"clip", "1", "--data", filepath.Join(dir, "typo"), "-o", clip}, 3, "There is no library in"},
		{[]string{"list", "--data", testdata("tone.wav")}, 5, "Choose a folder that you can write to"},
		{[]string{"add", testdata("tone.wav"), "--data", testdata("tone.wav")}, 5, "Choose a folder that you can write to"},
		{[]string{"list", "--data", used}, 4, "in use by another process"},
		{[]string{"add", testdata("tone.wav"), "--data", used}, 4, "in use by another process"},
		{[]string{"add", filepath.Join(dir, "nothing.wav"), "--data", data}, 3, "nothing.wav"},
		{[]string{"add", testdata("notmedia.wav"), "--data", data}, 6, "supported format"},
		{[]string{"add", testdata("notmedia.wav"), testdata("videoonly.mp4"), testdata("tone.wav"), "--data", data}, 6, "2 of 3 inputs failed"},
		{[]string{"add", "http://127.0.0.1/talk.wav", "--data", data}, 7, "public"},
		{[]string{"add", testdata("tone.wav"), "--watch", "--data", data}, 2, "--watch needs a folder"},
		{[]string{"add", dir, "--watch", "--interval", "0s", "--data", data}, 2, "--interval must be greater than zero"},
		{[]string{"add", testdata("tone.wav"), "--tag", "news", "--data", data}, 2, "--tag must be name=value"},
		{[]string{"add", testdata("tone.wav"), "--tag", "a=1", "--tag", "a=2", "--data", data}, 2, `two values for "a"`},
		{[]string{"add", testdata("tone.wav"), "--language", "xx", "--data", data}, 2, "xx"},
		{[]string{"add", testdata("tone.wav"), "--speakers", "101", "--data", data}, 2, "--speakers"},
		{[]string{"delete", "--data", data}, 2, "expected recordings"},
		{[]string{"delete", "7", "--data", data}, 3, "There is no recording #7"},
		{[]string{"delete", "1", "--data", filepath.Join(dir, "typo")}, 3, "There is no library in"},
		{[]string{"show", "--data", data}, 2, "expected recordings"},
		{[]string{"show", "7", "--data", data}, 3, "There is no recording #7"},
		{[]string{"show", "nobody", "--data", data}, 3, "There is no recording nobody"},
		{[]string{"search", "--data", data}, 2, "words to search for"},
		{[]string{"search", "x", "--in", "dreams", "--data", data}, 2, "category"},
		{[]string{"relabel", "1", "--data", data}, 2, "--name is required"},
		{[]string{"relabel", "1", "--name", "Speaker 9=Ann", "--data", data}, 2, "No speaker has the label"},
		{[]string{"export", "--to", "srt", "--data", data}, 2, "expected recordings, or --all"},
		{[]string{"export", "1", "--all", "--to", "srt", "--data", data}, 2, "expected recordings, or --all"},
		{[]string{"export", "1", "--to", "doc", "--data", data}, 2, `"doc"`},
		{[]string{"export", "1", "1", "--to", "srt", "--title", "x", "--data", data}, 2, "are for one recording"},
		{[]string{"clip", "1", "--data", data}, 2, "-o is required"},
		{[]string{"clip", "1", "--start", "5s", "--end", "2s", "-o", clip, "--data", data}, 2, "--to must be after --from"},
		{[]string{"clip", "1", "--from", "0.5s", "--to", "5m", "-o", clip, "--data", data}, 2, "3 minutes"},
		{[]string{"clip", "1", "--from", "1s", "--suggestion", "2", "-o", clip, "--data", data}, 2, "--suggestion contradicts --from and --to"},
		{[]string{"clip", "1", "--preview", "--poster", "x.jpg", "-o", clip, "--data", data}, 2, "--poster and --preview contradict each other"},
		{[]string{"clip", "1", "--sidecar", "str", "-o", clip, "--data", data}, 2, "did you mean srt?"},
		{[]string{"clip", "1", "-o", clip + ".avi", "--data", data}, 2, "can't be written as \".avi\""},
		{[]string{"clip", "1", "--style", "neon", "-o", clip, "--data", data}, 2, "neon"},
		{[]string{"clip", "1", "-o", clip, "--data", data}, 6, "--from and --to"},
		{[]string{"paint"}, 2, `unknown command "paint"`},
	} {
		code, _, errOut := cli(t, append([]string{"library"}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Contains(t, errOut, c.says, c.args)
	}
	require.NoFileExists(t, clip)
	require.NoDirExists(t, filepath.Join(dir, "typo"))
	require.Len(t, jsonLines[libraryRecording](t, lib(t, data, "list", "--json")), 1)
}

// utteranceTexts returns the label and text of each utterance of a recording.
func utteranceTexts(t *testing.T, data, rec string) (texts []string) {
	t.Helper()
	for _, u := range jsonLines[libraryTranscript](t, lib(t, data, "show", rec, "--json"))[0].Utterances {
		texts = append(texts, u.Label+": "+u.Text)
	}
	return texts
}

// An edit replaces words, and sets, splits, merges, and removes utterances by the numbers that show prints. Search finds the new text. A
// wrong change changes nothing.
func TestLibraryEdit(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	data := filepath.Join(t.TempDir(), "lib")
	lib(t, data, "add", testdata("conversation.wav"), "--speakers", "2")
	before := utteranceTexts(t, data, "1")
	require.GreaterOrEqual(t, len(before), 5)
	shown := lib(t, data, "show", "1", "--numbers")
	require.Regexp(t, `(?m)^2 +0:00:0\d\.\d{3}  Speaker 1  `, shown)

	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "expected a change"},
		{[]string{"--text", "3=New.", "--merge", "99"}, 2, "there is no utterance 99"},
		{[]string{"--text", "3=New.", "--replace", "xylophonist=x"}, 3, `doesn't have "xylophonist"`},
		{[]string{"--text", "3=New.", "--split", "3=2"}, 2, "--split: utterance 3 has 1 word (got word 2)"},
		{[]string{"--text", "3=New.", "--speaker", "1=Ann"}, 2, `--speaker: there is no speaker label "Ann"`},
		{[]string{"--text", "3=New.", "--speaker", "1=Speaker 2", "--speaker", "2=Speaker 4"}, 2, `"Speaker 2". Speaker 3 is a new speaker.`},
		{[]string{"--text", "3=New.", "--merge", strconv.Itoa(len(before))}, 2, "is the last"},
		{[]string{"--text", "3=New.", "--split", "2=1"}, 2, "with a word from 2"},
		{[]string{"--text", "3=New.", "--merge", "2", "--remove", "2"}, 2, "twice"},
		{[]string{"--text", "0=New."}, 2, "there is no utterance 0"},
		{[]string{"--text", "New."}, 2, "number of an utterance"},
		{[]string{"--text", "3= "}, 2, "The text of utterance 3 would be blank"},
		{[]string{"--title", "New", "--text", "3=New."}, 2, "can't be combined"},
	} {
		code, _, errOut := cli(t, append([]string{"library", "edit", "1", "--data", data}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Contains(t, errOut, c.says, c.args)
	}
	require.Equal(t, before, utteranceTexts(t, data, "1"))

	require.Equal(t, "#1 conversation: 1 change, revision 1\n", lib(t, data, "edit", "1", "--text", "1=We met a xylophonist here."))
	require.Contains(t, lib(t, data, "search", "xylophonist"), "We met a xylophonist here.")
	out := lib(t, data, "edit", "1", "--replace", "xylophonist=cellist", "--speaker", "2=Speaker 0", "--split", "1=3", "--merge", "3", "--remove", "5", "--json")
	require.Contains(t, out, `"operations":5,`)
	_, text, _ := strings.Cut(before[1], ": ")
	_, next, _ := strings.Cut(before[3], ": ")
	want := append([]string{"Speaker 0: We met", "Speaker 0: a cellist here.", "Speaker 0: " + text, before[2] + " " + next}, before[5:]...)
	require.Equal(t, want, utteranceTexts(t, data, "1"))
	require.Empty(t, lib(t, data, "search", "xylophonist"))
}

// A title and tags change without the transcript. All of a command happens or nothing, and what can't be changed is said.
func TestLibraryDetails(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	data := filepath.Join(t.TempDir(), "lib")
	lib(t, data, "add", testdata("conversation.wav"), "--tag", "show=News", "--tag", "draft=yes")
	require.Equal(t, "#1 Board meeting\nroom=2 show=Late\n",
		lib(t, data, "edit", "1", "--title", " Board meeting ", "--tag", "show=Late", "--tag", "room=2", "--untag", "draft"))
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--title", ""}, 2, "needs a title"},
		{[]string{"--title", "New", "--tag", "bad"}, 2, "name=value"},
		{[]string{"--title", "New", "--untag", "draft"}, 3, `It has ["room" "show"]`},
		{[]string{"--title", "New", "--tag", "show=x", "--untag", "show"}, 2, `both given for "show"`},
		{[]string{"--title", "New", "--tag", "a=" + strings.Repeat("x", 20_000)}, 2, "16384 bytes"},
	} {
		code, _, errOut := cli(t, append([]string{"library", "edit", "1", "--data", data}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Contains(t, errOut, c.says, c.args)
	}
	require.Contains(t, lib(t, data, "list", "--title", "board", "--tag", "room=2"), "Board meeting")
	require.Equal(t, "Board meeting", jsonLines[struct {
		Recording libraryRecording
	}](t, lib(t, data, "edit", "1", "--untag", "room", "--json"))[0].Recording.Title)
	require.NotContains(t, lib(t, data, "list"), "room")
}
