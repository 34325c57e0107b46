package der_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

const rttm = `;; a comment
SPKR-INFO talk 1 <NA> <NA> <NA> unknown anna <NA> <NA>
SPEAKER talk 1 0.500 1.250 <NA> <NA> anna <NA> <NA>

SPEAKER talk 1 2 0.75 <NA> <NA> ben <NA>
SPEAKER other 1 1e1 5 <NA> <NA> anna <NA> <NA>
`

// Segments of every file are parsed; other types of lines, comments and empty lines are skipped.
func TestParseRTTM(t *testing.T) {
	t.Parallel()
	files, err := der.ParseRTTM(strings.NewReader(rttm))
	require.NoError(t, err)
	require.Equal(t, map[string][]der.Segment{
		"talk":  {seg("anna", 0.5, 1.75), seg("ben", 2, 2.75)},
		"other": {seg("anna", 10, 15)},
	}, files)
}

// A written file parses back to the millisecond; white space in names can't break a line.
func TestRTTMRoundTrip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, der.WriteRTTM(&b, "a talk", []der.Segment{seg("Dr. Ö", 0.0004, 1.2346), seg("", 3, 3.1)}))
	require.Equal(t, "SPEAKER a_talk 1 0.000 1.235 <NA> <NA> Dr._Ö <NA> <NA>\n"+
		"SPEAKER a_talk 1 3.000 0.100 <NA> <NA> <NA> <NA> <NA>\n", b.String())
	files, err := der.ParseRTTM(&b)
	require.NoError(t, err)
	require.Equal(t, []der.Segment{seg("Dr._Ö", 0, 1.235), seg("<NA>", 3, 3.1)}, files["a_talk"])
}

func TestUEM(t *testing.T) {
	t.Parallel()
	// Spans of each file are parsed.
	files, err := der.ParseUEM(strings.NewReader("; c\ntalk 1 0 10.5\ntalk NA 20 30\n"))
	require.NoError(t, err)
	want := []der.Span{{Start: 0, End: seconds(10.5)}, {Start: seconds(20), End: seconds(30)}}
	require.Equal(t, map[string][]der.Span{"talk": want}, files)
	// Written spans parse back.
	var b bytes.Buffer
	require.NoError(t, der.WriteUEM(&b, "talk", want))
	files, err = der.ParseUEM(&b)
	require.NoError(t, err)
	require.Equal(t, want, files["talk"])
}

// An invalid line is an error with the line number.
func TestBadLines(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"SPEAKER talk 1 0 1 <NA> <NA>", "SPEAKER talk 1 x 1 <NA> <NA> a", "SPEAKER talk 1 0 -1 <NA> <NA> a",
		"SPEAKER talk 1 NaN 1 <NA> <NA> a", "SPEAKER talk 1 0 Inf <NA> <NA> a", "SPEAKER talk 1 1e300 1 <NA> <NA> a",
	} {
		_, err := der.ParseRTTM(strings.NewReader("\n" + line))
		require.ErrorContains(t, err, "rttm: line 2: ", line)
	}
	for _, line := range []string{"talk 1 0", "talk 1 a 1", "talk 1 0 b", "talk 1 2 1"} {
		_, err := der.ParseUEM(strings.NewReader(line))
		require.ErrorContains(t, err, "uem: line 1: ", line)
	}
	// So is a line that is too long.
	_, err := der.ParseRTTM(strings.NewReader(strings.Repeat("x", 1<<17)))
	require.Error(t, err)
	// The error of a writer is returned.
	require.Error(t, der.WriteRTTM(brokenWriter{}, "a", []der.Segment{seg("x", 0, 1)}))
	require.Error(t, der.WriteUEM(brokenWriter{}, "a", []der.Span{{}}))
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// Parsed segments can be written, parsed again and scored, without a panic.
func FuzzRTTM(f *testing.F) {
	f.Add(rttm, "talk 1 0 10.5\n")
	f.Add("SPEAKER a 1 0 0 <NA> <NA> b", "")
	f.Fuzz(func(t *testing.T, text, uem string) {
		files, err := der.ParseRTTM(strings.NewReader(text))
		if err != nil {
			return
		}
		spans, _ := der.ParseUEM(strings.NewReader(uem))
		for name, segments := range files {
			var b bytes.Buffer
			require.NoError(t, der.WriteRTTM(&b, name, segments))
			again, err := der.ParseRTTM(&b)
			require.NoError(t, err)
			for _, back := range again {
				require.Len(t, back, len(segments))
				s := der.DER(segments, back, der.Options{UEM: spans[name]})
				require.GreaterOrEqual(t, s.DER(), 0.0)
			}
		}
	})
}
