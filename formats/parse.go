package formats

import (
	"bytes"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Parsed is a transcript that came from a file. Its times, order and text are those that every
// writer gets, and its Duration is at least the end of the last word.
type Parsed struct {
	transcript.Transcript
	Names       map[string]string // assigned names by label, where the file has both: goes into Options.Names
	RecordingID string            // where the file names one: goes into Options.RecordingID
}

// Parse reads a file of any kind that there is a parser for. The kind is told by the first bytes; name is the file's and
// only decides where those say nothing. Errors are those of the parsers, and CodeInvalid for other kinds.
func Parse(name string, r io.Reader) (Parsed, error) {
	text, err := readText("Parse", r)
	if err != nil {
		return Parsed{}, err
	}
	start := string(bytes.TrimLeft(text[:min(len(text), 512)], " \t\r\n"))
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case strings.HasPrefix(start, "WEBVTT"), ext == ".vtt":
		return parseVTT(string(text))
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["), ext == ".json":
		return parseJSON(text)
	case ext == ".srt", start != "" && start[0] >= '0' && start[0] <= '9' && bytes.Contains(text, []byte(arrow)):
		return parseSRT(string(text))
	}
	return Parsed{}, fault.Errorf(fault.CodeInvalid, "Parse", "The file is not a transcript that can be read.").
		WithHint("Give a .json, .vtt or .srt file.")
}

// readText reads everything as UTF-8 without a byte order mark; UTF-16 is told by its mark. Bytes that are neither
// become U+FFFD.
func readText(op string, r io.Reader) ([]byte, error) {
	var all bytes.Buffer
	if f, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Size() < maxPreallocated {
			all.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	if _, err := all.ReadFrom(r); err != nil {
		return nil, fault.Errorf(fault.CodeInternal, op, "The file could not be read.").Because(err)
	}
	b := all.Bytes()
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		var err error
		if b, err = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(b); err != nil {
			return nil, fault.Errorf(fault.CodeInvalid, op, "line 1, column 1: the file is not valid UTF-16.").Because(err)
		}
	}
	if b = bytes.TrimPrefix(b, []byte(bom)); !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return b, nil
}

const maxPreallocated = 64 << 20 // bytes; what is larger is read as it comes

// syntaxError is what a broken file gives. Lines and columns count from 1, columns in bytes.
func syntaxError(op string, line, column int, format string, args ...any) error {
	return fault.Errorf(fault.CodeInvalid, op, "line %d, column %d: "+format, append([]any{line, column}, args...)...)
}

// finish makes a transcript of what a parser found: everything that prepare repairs is repaired.
func finish(t transcript.Transcript, names map[string]string) Parsed {
	s := prepare(t, Options{Names: names})
	t.Utterances = make([]transcript.Utterance, len(s.Utterances))
	for i, u := range s.Utterances {
		t.Utterances[i] = transcript.Utterance{
			Speaker: u.Label, Text: u.Text, Start: u.Start, End: u.End, Confidence: u.Confidence, Words: slices.Clip(u.Words),
		}
		for _, w := range u.Words {
			t.Duration = max(t.Duration, w.End)
		}
		t.Duration = max(t.Duration, u.End)
	}
	return Parsed{Transcript: t, Names: names}
}

// seconds converts what other tools write; nonsense becomes the nearest time there is.
func seconds(s float64) time.Duration {
	switch {
	case !(s > 0):
		return 0
	case s > captions.MaxTime.Seconds():
		return captions.MaxTime
	}
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}
