package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Any bytes in any caption format are refused or give valid text and times. Times that run backwards are reported with their line.
func FuzzReadCaptions(f *testing.F) {
	for _, in := range []string{
		"WEBVTT\n\n00:02.000 --> 00:01.000\n<v A>a\n\nx\n\n00:01.500 --> 00:03.000 align:start\nb --> c\n",
		"1\n-00:00:01,000 --> 00:00:02,000\na\n\n00:61:00,000 --> 1\n\n2\n00:00:01,000 --> 00:00:01,000\nb\n",
		`<tt ttp:frameRate="25"><body begin="1s"><div><p begin="1s" dur="0s">a<br/>b</p><p begin="x" end="2f"/></div></body></tt>`,
		"[offset:-5]\n[la:en]\n[00:01.00][1:00:02]Ada: a\n[00:03.50]<00:03.50>b <00:04.00>c<00:01>\nx\n[00:61.00]y\n[00:02]\n",
		"A title\n\nAda  0:05  \na\nb\n\n[00:00:05] Bob:\nc\n[00:00:04]\n\nTranscribed by https://otter.ai",
		"[Script Info]\n[Events]\nDialogue: 0,0:00:03.00,0:00:02.00,A,A,0,0,0,,{\\rB}a{\\p1}x\\N\\{\nDialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,b{",
		"<tt><metadata><agent id='a'><name>A</name></agent></metadata><p agent='a' end='1s'>x<p begin='9999h' end='9999h'>y</p></p></tt>",
	} {
		f.Add([]byte(in))
	}
	files, err := filepath.Glob("testdata/encodings/*.srt")
	require.NoError(f, err)
	for _, path := range files {
		in, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		text, found, err := readText("Op", bytes.NewReader(in), maxFile)
		if err != nil {
			return
		}
		require.True(t, utf8.Valid(text))
		for _, k := range []kind{kindVTT, kindSRT, kindTTML, kindASS, kindLRC, kindSTL, kindTXT} {
			c, err := readCaptions("Op", k, text, problems{found: slices.Clone(found.found)})
			if err != nil {
				require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
				continue
			}
			checkReading(t, c)
		}
	})
}

// checkReading checks a file that was read.
func checkReading(t *testing.T, c captionFile) {
	p, err := c.transcript("Op")
	if err != nil {
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		return
	}
	require.LessOrEqual(t, len(p.Problems), maxProblems+1)
	require.True(t, slices.IsSortedFunc(p.Problems, func(a, b Problem) int { return a.Line - b.Line }) || len(p.Problems) > maxProblems)
	require.True(t, slices.IsSortedFunc(p.Utterances, func(a, b transcript.Utterance) int { return int(a.Start - b.Start) }))
	for i, q := range c.cues {
		require.Positive(t, q.line)
		require.GreaterOrEqual(t, q.start, time.Duration(0))
		require.Less(t, q.start, 3*captions.MaxTime)
		backwards := q.end <= q.start || i > 0 && q.start < c.cues[i-1].start
		if backwards && len(p.Problems) <= maxProblems {
			require.True(t, slices.ContainsFunc(p.Problems, func(r Problem) bool { return r.Line == q.line }), "line %d", q.line)
		}
	}
}
