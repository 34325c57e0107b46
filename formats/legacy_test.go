package formats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/soundstage-dev/soundstage/formats"
)

// A file in a legacy encoding is read as its text, and the encoding is reported. The files are from Python's codecs; the .txt beside each
// one has its text.
func TestParseLegacyEncodings(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/encodings/*.srt")
	require.NoError(t, err)
	require.Len(t, files, 21)
	for _, path := range files {
		in, err := os.ReadFile(path)
		require.NoError(t, err)
		want, err := os.ReadFile(strings.TrimSuffix(path, ".srt") + ".txt")
		require.NoError(t, err)
		p, err := formats.Parse(path, bytes.NewReader(in))
		require.NoError(t, err, path)
		var texts strings.Builder
		for _, u := range p.Utterances {
			texts.WriteString(u.Text + "\n")
		}
		name := strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(path, ".srt")), ".")
		require.Equal(t, string(want), texts.String(), path)
		require.Len(t, p.Problems, 1, path)
		require.Equal(t, "the file is not utf-8; it was read as "+name+".", strings.ToLower(p.Problems[0].String()))
	}
}

// Longer texts are read correctly at any length with a few letters beyond ASCII.
func TestParseLegacyLengths(t *testing.T) {
	t.Parallel()
	for language, e := range map[string]encoding.Encoding{
		"de": charmap.Windows1252, "es": charmap.Windows1252, "fr": charmap.Windows1252, "it": charmap.Windows1252, "no": charmap.Windows1252,
		"pt": charmap.Windows1252, "sv": charmap.Windows1252, "pl": charmap.Windows1250, "tr": charmap.Windows1254, "ru": charmap.Windows1251,
		"uk": charmap.Windows1251, "ja": japanese.ShiftJIS, "zh": simplifiedchinese.GB18030, "ko": korean.EUCKR,
	} {
		text, err := os.ReadFile("testdata/languages/" + language + ".txt")
		require.NoError(t, err)
		words := strings.Fields(string(text))
		if language == "ja" || language == "zh" {
			words = strings.Split(strings.Join(words, ""), "")
		}
		checked := 0
		for n := range words {
			said := strings.Join(words[:n+1], " ")
			if len(said)-len([]rune(said)) < 5 {
				continue
			}
			in, err := e.NewEncoder().String("1\n00:00:01,000 --> 00:00:02,000\n" + said + "\n")
			require.NoError(t, err, language)
			p, err := formats.ParseSRT(strings.NewReader(in))
			require.NoError(t, err)
			require.Equal(t, said, p.Utterances[0].Text, language)
			checked++
		}
		require.GreaterOrEqual(t, checked, 2, language)
	}
}

// UTF-8 with some damaged bytes stays UTF-8: the bytes become U+FFFD, and the line of the first one is reported.
func TestParseDamagedUTF8(t *testing.T) {
	t.Parallel()
	p, err := formats.ParseSRT(strings.NewReader("1\n00:00:01,000 --> 00:00:02,000\nžluť \xe9 kůň \xff\n"))
	require.NoError(t, err)
	require.Equal(t, []line{{"", "žluť \uFFFD kůň \uFFFD", 1000, 2000}}, linesOf(p))
	require.Equal(t, []formats.Problem{{Line: 3, Message: "2 bytes are not valid UTF-8 and became U+FFFD."}}, p.Problems)
	p, err = formats.ParseSRT(strings.NewReader("1\n00:00:01,000 --> 00:00:02,000\nOn va à Paris, à Lyon, à Nice, \xe9t\n"))
	require.NoError(t, err)
	require.Equal(t, []line{{"", "On va à Paris, à Lyon, à Nice, \uFFFDt", 1000, 2000}}, linesOf(p))
}

// Bytes that are no text of any language become U+FFFD.
func TestParseNoEncoding(t *testing.T) {
	t.Parallel()
	for _, noise := range []string{"\x81\x8d\x8f\x90\x9d\xff\x81", "\x95\x81\x96\x82\x97\x83", "\x8c\xd7\xe3\xf7\xa6\xb6\xac\xd7"} {
		p, err := formats.ParseSRT(strings.NewReader("1\n00:00:01,000 --> 00:00:02,000\na " + noise + " b\n"))
		require.NoError(t, err)
		require.Contains(t, p.Utterances[0].Text, "\uFFFD", "%q", noise)
		require.Len(t, p.Problems, 1)
		require.Equal(t, 3, p.Problems[0].Line)
	}
}
