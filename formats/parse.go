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

// Parsed is a transcript parsed from a file. Its times, order and text are normalised as for writers. Its Duration is at
// least the end of the last word.
type Parsed struct {
	transcript.Transcript
	Names       map[string]string // assigned names by label, if the file has both; pass them as Options.Names
	RecordingID string            // if the file has one; pass it as Options.RecordingID
}

// Parse reads a transcript in any supported format. It detects the format from the first bytes, and only if these are
// ambiguous from name, the file's name. It returns the errors of the parsers, and CodeInvalid for unknown formats.
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
	return Parsed{}, fault.Errorf(fault.CodeInvalid, "Parse", "The file is not a supported transcript.").
		WithHint("Use a .json, .vtt or .srt file.")
}

// readText reads UTF-8, or UTF-16 with a byte order mark, and removes the mark. Invalid bytes become U+FFFD.
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

const maxPreallocated = 64 << 20 // in bytes; larger files grow the buffer while reading

// syntaxError returns the error for an invalid file. Lines and columns count from 1, columns in bytes.
func syntaxError(op string, line, column int, format string, args ...any) error {
	return fault.Errorf(fault.CodeInvalid, op, "line %d, column %d: "+format, append([]any{line, column}, args...)...)
}

// normalise cleans up what a parser found, as prepare does for writers.
func normalise(t transcript.Transcript, names map[string]string) Parsed {
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

// seconds converts a time of another tool. Invalid values become the nearest valid time.
func seconds(s float64) time.Duration {
	switch {
	case !(s > 0):
		return 0
	case s > captions.MaxTime.Seconds():
		return captions.MaxTime
	}
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}
