package formats

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	Problems    []Problem         // what was skipped, changed, or guessed, by line; at most 1,001
}

// Parse reads a transcript in any supported format. It detects the format from the first bytes, and only if these are
// ambiguous from name, the file's name. What it can't use in captions is in Problems. It returns the errors of the parsers,
// CodeInvalid for unknown formats, and CodeTooLarge for more than 256 MiB, or 16 MiB or 200,000 cues of captions.
func Parse(name string, r io.Reader) (Parsed, error) {
	k, text, found, err := readFile("Parse", name, r)
	if err != nil {
		return Parsed{}, err
	}
	if k == kindJSON {
		p, err := parseJSON(text)
		p.Problems = append(found.list(), p.Problems...)
		return p, err
	}
	f, err := readCaptions("Parse", k, text, found)
	if err != nil {
		return Parsed{}, err
	}
	return f.transcript("Parse")
}

// kind is a family of transcript files.
type kind int

const (
	kindUnknown kind = iota
	kindVTT
	kindSRT
	kindTTML
	kindJSON
	kindASS
	kindLRC
	kindSTL
	kindTXT
)

// readFile reads a file and detects its kind. All kinds but EBU STL are text.
func readFile(op, name string, r io.Reader) (kind, []byte, problems, error) {
	b, err := readAtMost(op, r, maxFile)
	if err != nil {
		return kindUnknown, nil, problems{}, err
	}
	if isSTL(b) {
		return kindSTL, b, problems{}, nil
	}
	text, found, err := decodeText(op, b)
	return kindOf(name, text), text, found, err
}

func kindOf(name string, text []byte) kind {
	start := string(bytes.TrimLeft(text[:min(len(text), 512)], " \t\r\n"))
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case strings.HasPrefix(start, "WEBVTT"), ext == ".vtt":
		return kindVTT
	case strings.HasPrefix(strings.ToLower(start), "[script info]"), ext == ".ass", ext == ".ssa":
		return kindASS
	case ext != ".lrc" && ownHeading.MatchString(firstLine(start)):
		return kindTXT
	case ext == ".lrc", lrcStart.MatchString(start):
		return kindLRC
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["), ext == ".json":
		return kindJSON
	case strings.HasPrefix(start, "<"), ext == ".ttml", ext == ".dfxp":
		return kindTTML
	case ext == ".srt", startsLikeSRT(start) && bytes.Contains(text, []byte(arrow)):
		return kindSRT
	case isTXT(text):
		return kindTXT
	}
	return kindUnknown
}

func firstLine(text string) string {
	l, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(l, "\r")
}

func startsLikeSRT(start string) bool { return start != "" && start[0] >= '0' && start[0] <= '9' }

// parseCaptions reads a caption file of a known kind.
func parseCaptions(op string, k kind, r io.Reader) (Parsed, error) {
	b, err := readAtMost(op, r, maxFile)
	if err != nil {
		return Parsed{}, err
	}
	var found problems
	if k != kindSTL {
		if b, found, err = decodeText(op, b); err != nil {
			return Parsed{}, err
		}
	}
	f, err := readCaptions(op, k, b, found)
	if err != nil {
		return Parsed{}, err
	}
	return f.transcript(op)
}

// readCaptions reads a caption file.
func readCaptions(op string, k kind, text []byte, found problems) (captionFile, error) {
	if k != kindUnknown && len(text) > maxCaptions {
		return captionFile{}, fault.Errorf(fault.CodeTooLarge, op, "The file has more than %d bytes of captions.", maxCaptions).WithHint("Split it.")
	}
	if (k == kindSRT || k == kindASS || k == kindLRC) && len(bytes.TrimSpace(text)) == 0 {
		return captionFile{}, syntaxError(op, 1, 1, "the file is empty.") // the other kinds must begin with something
	}
	switch k {
	case kindVTT:
		return readVTT(op, string(text), found)
	case kindSRT:
		return readSRT(string(text), found), nil
	case kindTTML:
		f, err := readTTML(op, text, found)
		return f.withoutNames(), err
	case kindASS:
		return readASS(string(text), found).withoutNames(), nil
	case kindLRC:
		return readLRC(string(text), found), nil
	case kindTXT:
		return readTXT(string(text), found), nil
	case kindSTL:
		return readSTL(op, text, found)
	}
	return captionFile{}, fault.Errorf(fault.CodeInvalid, op, "The file is not a supported transcript.").
		WithHint(readable)
}

// readable is the hint for files of other formats.
const readable = "Use a .json, .vtt, .srt, .ttml, .ass, .stl, .lrc, or .txt file."

// syntaxError returns the error for an invalid file. Lines and columns count from 1, columns in bytes.
func syntaxError(op string, line, column int, format string, args ...any) error {
	return fault.Errorf(fault.CodeInvalid, op, "line %d, column %d: "+format, append([]any{line, column}, args...)...)
}

// normalise cleans up what a parser found, as prepare does for writers.
func normalise(t transcript.Transcript, names map[string]string) Parsed {
	var found problems
	for i, u := range t.Utterances {
		switch {
		case u.Start < 0 || u.End < 0:
			found.add(0, "utterance %d is at %g to %g s; negative times became 0.", i+1, u.Start.Seconds(), u.End.Seconds())
		case u.End != 0 && u.End < u.Start:
			found.add(0, "utterance %d ends at %s, before its start at %s.", i+1, clockMillis(u.End), clockMillis(u.Start))
		}
		for _, w := range u.Words {
			if w.Start < 0 || w.End < 0 {
				found.add(0, "the word %q of utterance %d is at %g to %g s; negative times became 0.", w.Text, i+1, w.Start.Seconds(), w.End.Seconds())
				break // it is a systematic mistake
			}
		}
	}
	s := prepare(t, Options{Names: names})
	t.Duration = max(t.Duration, 0)
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
	return Parsed{Transcript: t, Names: names, Problems: found.list()}
}

// seconds converts a time of another tool. Invalid values become the nearest valid time; negative ones stay, so that normalise reports them.
func seconds(s float64) time.Duration {
	switch {
	case s != s: // not a number
		return 0
	case s < -captions.MaxTime.Seconds():
		return -captions.MaxTime
	case s > captions.MaxTime.Seconds():
		return captions.MaxTime
	}
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}
