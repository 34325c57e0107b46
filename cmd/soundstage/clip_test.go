package main

import (
	"fmt"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	enginefiles "github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// spokenTalk returns a file with 75 s of speech.
func spokenTalk(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "talk.wav")
	out, err := exec.Command("ffmpeg", "-v", "error", "-stream_loop", "2", "-i", testdata("conversation.wav"), "-t", "75", path).CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// clip makes the best parts of a file into numbered videos with captions next to it, best first, and says where they are from.
func TestClipBest(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir := t.TempDir()
	talk := spokenTalk(t, dir)
	code, out, errOut := cli(t, "clip", talk, "--best", "2", "--draft", "--aspect", "1:1", "--sidecar", "srt", "--json")
	require.Zero(t, code, errOut)
	require.Contains(t, errOut, "The words are invented.")
	made := jsonLines[madeClip](t, out)
	require.Len(t, made, 2)
	require.GreaterOrEqual(t, made[0].Score, made[1].Score)
	for i, m := range made {
		path := filepath.Join(dir, fmt.Sprintf("talk-%d.mp4", i+1))
		require.Equal(t, []any{i + 1, path, path[:len(path)-3] + "srt", 360, 360}, []any{m.Number, m.Path, m.Sidecar, m.Width, m.Height})
		require.NotEmpty(t, m.Title)
		require.Equal(t, m.EndMS-m.StartMS, m.DurationMS)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(20_000))
		file, err := os.Open(m.Sidecar)
		require.NoError(t, err)
		captions, err := formats.Parse(m.Sidecar, file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		said := captions.Utterances
		require.Less(t, said[0].Start, 300*time.Millisecond, "times begin with the clip")
		require.LessOrEqual(t, said[len(said)-1].End.Milliseconds(), m.DurationMS)
		require.Contains(t, strings.Join(strings.Fields(m.Excerpt), " "), strings.Fields(said[0].Text)[0])
	}
	code, _, errOut = cli(t, "clip", talk, "--best", "2", "--sidecar", "srt")
	require.Equal(t, 4, code, errOut)
	require.Contains(t, errOut, "talk-1.mp4 exists")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 5)
}

// clip renders a part with the words of a transcript, as a file or into a folder, and prints a table. Media may be a URL. Fewer parts than
// wanted are told.
func TestClipPart(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir := t.TempDir()
	words := filepath.Join(dir, "talk.srt")
	require.NoError(t, os.WriteFile(words, []byte("1\n00:00:01,000 --> 00:00:03,000\nAnn: Hello again.\n\n2\n00:00:03,500 --> 00:00:05,000\nBob: Thanks!\n"), 0o600))
	one := filepath.Join(dir, "one.mp4")
	code, out, errOut := cli(t, "clip", testdata("conversation.mp4"), words, "--from", "0:01.5", "--to", "4", "--draft", "--name", "Bob=Bob Roe", "-o", one, "--sidecar", "vtt", "--title", "Hi", "--poster", filepath.Join(dir, "still.jpg"))
	require.Zero(t, code, errOut)
	require.Empty(t, errOut)
	require.Regexp(t, `^CLIP +FROM +TO +SCORE +TITLE\n.*one\.mp4 +0:00:01\.000 +0:00:05\.000 +- +Hi\n$`, out)
	sidecar, err := os.ReadFile(filepath.Join(dir, "one.vtt"))
	require.NoError(t, err)
	require.Contains(t, string(sidecar), "00:00:02.500 --> 00:00:04.000\n<v Bob Roe>Thanks!")
	file, err := os.Open(filepath.Join(dir, "still.jpg"))
	require.NoError(t, err)
	still, err := jpeg.DecodeConfig(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.Equal(t, []int{360, 640}, []int{still.Width, still.Height}, "the poster is a picture of the video")
	require.NotContains(t, string(sidecar), "Ann", "who has no name has no label either, as in the clip")

	files := httptest.NewServer(http.FileServer(http.Dir(testdata(""))))
	defer files.Close()
	code, out, errOut = cli(t, "clip", files.URL+"/conversation.mp4?key=1", "--allow-private-urls", "--best", "3", "--draft", "--style", "minimal", "--for", "linkedin", "--focus", "0.3,0.5", "-o", filepath.Join(dir, "new")+"/")
	require.Zero(t, code, errOut)
	require.Contains(t, errOut, "Only 1 part would make a clip (got --best 3).")
	require.Contains(t, out, filepath.Join(dir, "new", "conversation-1.mp4"))
	shown, err := (render.FFmpeg{}).Probe(t.Context(), enginefiles.Source(filepath.Join(dir, "new", "conversation-1.mp4")))
	require.NoError(t, err)
	require.Equal(t, []int{360, 450}, []int{shown.Video.Width, shown.Video.Height}, "the target decides the aspect ratio")
}

// --preview writes a still of each clip instead of the video, with the extension of one, and --sidecar works as for the video.
func TestClipPreview(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders stills")
	needFFmpeg(t)
	dir := t.TempDir()
	words := filepath.Join(dir, "talk.srt")
	require.NoError(t, os.WriteFile(words, []byte("1\n00:00:01,000 --> 00:00:03,000\nHello again.\n"), 0o600))
	for _, command := range []string{"clip", "render"} {
		code, out, errOut := cli(t, command, testdata("conversation.mp4"), words, "--to", "6", "--preview", "--aspect", "1:1", "-o", filepath.Join(dir, command+".mp4"), "--sidecar", "srt")
		require.Zero(t, code, errOut)
		require.Contains(t, out, command+".jpg")
		file, err := os.Open(filepath.Join(dir, command+".jpg"))
		require.NoError(t, err)
		still, err := jpeg.DecodeConfig(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, []int{1080, 1080}, []int{still.Width, still.Height})
		require.FileExists(t, filepath.Join(dir, command+".srt"))
		require.NoFileExists(t, filepath.Join(dir, command+".mp4"))
	}
	code, _, errOut := cli(t, "render", testdata("conversation.mp4"), words, "--preview", "-o", filepath.Join(dir, "x.mp4"), "--poster", filepath.Join(dir, "x.jpg"))
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--poster and --preview contradict each other")
}

// Wrong flags and unusable media are errors before any work, and leave no files.
func TestClipErrors(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	dir := t.TempDir()
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"", 2, "expected a media file or URL, and optionally a transcript (got 0 arguments)"},
		{"MEDIA --best 0", 2, "--best must be a number from 1 to 10 (got 0)"},
		{"MEDIA --best 11", 2, "--best must be a number from 1 to 10 (got 11)"},
		{"MEDIA --best 2 --from 1:00", 2, "--best contradicts --from and --to"},
		{"MEDIA --from 1:00 --to 0:30", 2, "--to must be after --from"},
		{"MEDIA --snap sentences", 2, "Did you mean sentence?"},
		{"MEDIA --style bold-poop", 2, "Did you mean bold-pop?"},
		{"MEDIA --style nothing.yaml", 2, "The style can't be read"},
		{"MEDIA --for vine", 2, "Unknown target \"vine\"."},
		{"MEDIA --focus 2,2", 2, "Use auto, both, centre, none, or two numbers"},
		{"MEDIA --focus 0.3,0.5 --fit blur -o OUT --to 3", 2, "A focus is for pictures that are cropped"},
		{"MEDIA -o OUT.avi", 2, "can't be written as \".avi\""},
		{"MEDIA --poster OUT", 2, "--poster must end in .jpg or .jpeg"},
		{"MEDIA --poster OUT.jpg --preview", 2, "--poster and --preview contradict each other"},
		{"MEDIA --poster OUT.jpg -o OUT.gif", 2, "is a GIF"},
		{"MEDIA --sidecar str", 2, "did you mean srt?"},
		{"MEDIA --language xx", 2, `"xx" is not supported`},
		{"MEDIA --transcriber openai", 2, "OpenAI needs a key"},
		{"nothing.mp4", 3, "nothing.mp4"},
		{"MEDIA nothing.srt -o OUT", 3, "nothing.srt"},
		{"MEDIA -o MEDIA --force", 2, "would overwrite the input"},
		{"MEDIA -o /no/such/folder.mp4", 5, "can't be written"},
		{"../../testdata/notmedia.wav -o OUT", 6, "format"},
		{"../../testdata/tone.wav -o OUT", 6, "No part of the media would make a clip."},
		{"MEDIA --from 1:39 --to 1:40 -o OUT", 2, "--from must be before the end of the media, 0:00:24.920 (got 0:01:39.000)"},
		{"MEDIA --form 1:10", 2, "Did you mean --from?"},
		{"http://127.0.0.1/talk.mp4 -o OUT", 7, "public"},
	} {
		line := strings.NewReplacer("MEDIA", testdata("conversation.mp4"), "OUT", filepath.Join(dir, "out.mp4")).Replace(c.line)
		code, out, errOut := cli(t, append([]string{"clip"}, strings.Fields(line)...)...)
		require.Equal(t, c.code, code, "%s: %s", c.line, errOut)
		require.Contains(t, errOut, c.says, c.line)
		require.Empty(t, out)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// The names of clips get numbers, unless the one file is named.
func TestClipNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		what, output string
		best         int
		want         []string
	}{
		{"a/talk.mp3", "", 1, []string{"a/talk-1.mp4"}},
		{"a/talk.mp3", "", 2, []string{"a/talk-1.mp4", "a/talk-2.mp4"}},
		{"a/talk.mp3", "clip.mp4", 1, []string{"clip.mp4"}},
		{"a/talk.mp3", "b/clip.mp4", 2, []string{"b/clip-1.mp4", "b/clip-2.mp4"}},
		{"a/talk.mp3", "b/", 1, []string{"b/talk-1.mp4"}},
		{"a/talk.mp3", dir, 1, []string{dir + "/talk-1.mp4"}},
		{"https://media.example/x/talk.m4a?key=1", "", 1, []string{"talk-1.mp4"}},
		{"https://media.example/", "b/", 1, []string{"b/transcript-1.mp4"}},
	} {
		o := clipFlags{best: c.best}
		o.files.output, o.files.poster = c.output, "still.jpg"
		var got, posters []string
		for _, files := range o.clips(c.what) {
			got, posters = append(got, filepath.ToSlash(files.video)), append(posters, files.poster)
		}
		require.Equal(t, c.want, got, c.what+" "+c.output)
		require.Equal(t, map[int][]string{1: {"still.jpg"}, 2: {"still-1.jpg", "still-2.jpg"}}[c.best], posters)
	}
}

// What is said in a part has the times of the part, without words outside it, and words at its edges are cut.
func TestPartOf(t *testing.T) {
	t.Parallel()
	word := func(text string, start, end time.Duration) transcript.Word {
		return transcript.Word{Text: text, Speaker: "A", Start: start * time.Second, End: end * time.Second}
	}
	said := transcript.Transcript{Language: "en", Duration: time.Minute, Utterances: []transcript.Utterance{
		{Speaker: "A", Text: "Out.", Words: []transcript.Word{word("Out.", 0, 5)}},
		{Speaker: "A", Text: "One two three.", Words: []transcript.Word{word("One", 8, 11), word("two", 11, 12), word("three.", 12, 13)}},
		{Speaker: "B", Text: "Late.", Words: []transcript.Word{word("Late.", 12, 20)}},
	}}
	got := partOf(said, transcript.Window{Start: 10 * time.Second, End: 13 * time.Second})
	require.Equal(t, transcript.Transcript{Language: "en", Duration: 3 * time.Second, Utterances: []transcript.Utterance{
		{Speaker: "A", Text: "One two three.", End: 3 * time.Second, Words: []transcript.Word{word("One", 0, 1), word("two", 1, 2), word("three.", 2, 3)}},
		{Speaker: "B", Text: "Late.", Start: 2 * time.Second, End: 3 * time.Second, Words: []transcript.Word{word("Late.", 2, 3)}},
	}}, got)
	require.Equal(t, 8*time.Second, said.Utterances[1].Words[0].Start, "the transcript stays")
}
