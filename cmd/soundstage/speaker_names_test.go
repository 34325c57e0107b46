package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// transcribe names speakers. A label that the transcript lacks is reported, and the transcript is written.
func TestTranscribeNames(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	code, out, errOut := cli(t, "transcribe", testdata("conversation.wav"), "--name", "Speaker 0=Ann Lee", "--name", "Speaker 9=Bob")
	require.Zero(t, code, errOut)
	require.Contains(t, out, "Ann Lee:\n")
	require.Contains(t, out, "Speaker 2:\n")
	require.Equal(t, "soundstage: No speaker has the label of --name \"Speaker 9=Bob\".\n  The transcript has \"Speaker 0\", \"Speaker 1\".\n", errOut)
}

// A name without a label, or a label without a name, is refused before media is read.
func TestBadNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, command := range [][]string{{"transcribe", "nothing.wav"}, {"render", "nothing.mp4", "-o", filepath.Join(dir, "clip.mp4")}} {
		for name, says := range map[string]string{"Ann Lee": "--name must be label=name", "Speaker 0= ": `--name has no name for "Speaker 0"`} {
			code, _, errOut := cli(t, append(command, "--name", name)...)
			require.Equal(t, 2, code, errOut)
			require.Contains(t, errOut, says)
		}
	}
}

// render refuses the name of a label that the transcript lacks, and renders nothing.
func TestRenderNames(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads media")
	needFFmpeg(t)
	dir := t.TempDir()
	words := filepath.Join(dir, "talk.vtt")
	require.NoError(t, os.WriteFile(words, []byte("WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ada>We record in a quiet room.\n"), 0o600))
	clip := filepath.Join(dir, "clip.mp4")
	code, _, errOut := cli(t, "render", testdata("conversation.mp4"), words, "--to", "5s", "-o", clip, "--name", "Bob=Bob Roe")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "No speaker has the label of --name \"Bob=Bob Roe\".\n  The transcript has \"Ada\".")
	require.NoFileExists(t, clip)
}

// A name is a word before the first word of each turn in a window. Speakers without a name, and words elsewhere, stay as they are.
func TestNameTurns(t *testing.T) {
	t.Parallel()
	word := func(text, speaker string, at int) transcript.Word {
		start := time.Duration(at) * time.Second
		return transcript.Word{Text: text, Speaker: speaker, Start: start, End: start + time.Second}
	}
	words := []transcript.Word{word("before", "A", 0), word("one", "A", 1), word("two", "A", 2), word("three", "B", 3), word("four", "A", 4), word("after", "B", 5)}
	window := transcript.Window{Start: time.Second, End: 5 * time.Second}
	require.Equal(t, words, nameTurns(words, window, nil))
	named := nameTurns(words, window, map[string]string{"A": " Ann  Lee "})
	var texts []string
	for i, w := range named {
		texts = append(texts, w.Text)
		require.Less(t, w.Start, w.End)
		if i > 0 {
			require.LessOrEqual(t, named[i-1].End, w.Start)
		}
	}
	require.Equal(t, []string{"Ann\u00a0Lee:", "one", "two", "three", "Ann\u00a0Lee:", "four"}, texts)
	require.Equal(t, time.Second, named[0].Start)
}
