package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/formats"
)

// documentFlags are the flags for the contents of documents.
type documentFlags struct {
	names                                                  speakerNames
	title, source, media, creator, created                 string
	summary, chapters, template                            string // paths
	paper                                                  string
	noTimestamps, speakerTable, visibleNames, voiceColours bool
}

// Largest files that the flags read, in bytes.
const (
	maxSummary  = 1 << 20
	maxChapters = 4 << 20
	maxTemplate = 32 << 20
)

// add adds the flags to a command.
func (d *documentFlags) add(f *pflag.FlagSet) {
	f.StringVar(&d.title, "title", "", "`title` of documents; default the file's name")
	d.names.add(f, speakerNameHelp)
	f.StringVar(&d.source, "source", "", "`name` or web address of the media, for the header of documents")
	f.StringVar(&d.media, "media", "", "`file` or web address of the media, for players and editors")
	f.StringVar(&d.summary, "summary", "", "text `file` for a summary in documents")
	f.StringVar(&d.chapters, "chapters", "", "`file` of chapters, for documents, players, and timelines: lines such as \"12:30 Questions\", or the JSON of podcasts")
	f.BoolVar(&d.speakerTable, "speaker-table", false, "add a table of the speakers' times to documents")
	f.StringVar(&d.paper, "paper", "", "`size` of pages: a4 or letter; default letter for English, otherwise a4")
	f.StringVar(&d.template, "template", "", "docx `file` whose placeholders are filled in")
	f.StringVar(&d.creator, "creator", "", "`name` of the author of pdf and docx; default Soundstage")
	f.StringVar(&d.created, "created", "", "`date` of documents: 2026-03-01, or with a time 2026-03-01T12:00:00Z")
	f.BoolVar(&d.visibleNames, "visible-names", false, "show names of speakers in the text of vtt, ttml, ebuttd, stl, and ass")
	f.BoolVar(&d.voiceColours, "voice-colours", false, "give each speaker a colour in vtt, for browsers; ffmpeg 5.1 and older can't read such files")
	f.BoolVar(&d.noTimestamps, "no-timestamps", false, "leave timestamps out of documents")
}

// check returns CodeInvalid for values that are wrong whatever the transcript has, and CodeNotFound for media that isn't there. to are the
// formats to write.
func (d *documentFlags) check(op string, to []formats.Format) error {
	if _, err := d.date(op); err != nil {
		return err
	}
	if papers := []formats.Paper{formats.PaperA4, formats.PaperLetter}; d.paper != "" && !slices.Contains(papers, formats.Paper(d.paper)) {
		return unknownValue(op, "paper", d.paper, papers)
	}
	if d.template != "" && !slices.ContainsFunc(to, func(f formats.Format) bool { return f.Name == "docx" }) {
		return engine.Errorf(engine.CodeInvalid, op, "--template is for docx, which is not written.").WithHint("Add docx to --to.")
	}
	if d.media == "" || strings.Contains(d.media, "://") {
		return nil
	}
	return checkFile(d.media)
}

// options returns what the flags say about a transcript. parsed has names that the flags may replace.
func (d *documentFlags) options(op string, parsed formats.Parsed) (formats.Options, error) {
	o := formats.Options{
		Title: d.title, Source: d.source, Media: d.media, Creator: d.creator, Paper: formats.Paper(d.paper), RecordingID: parsed.RecordingID,
		OmitTimestamps: d.noTimestamps, SpeakerTable: d.speakerTable,
		VisibleNames: d.visibleNames, VoiceColours: d.voiceColours,
	}
	var err error
	if o.Names, err = d.names.of(op, parsed.Labels(), parsed.Names); err != nil {
		return o, err
	}
	if o.Created, err = d.date(op); err != nil {
		return o, err
	}
	if o.Chapters, err = readChapters(op, d.chapters); err != nil {
		return o, err
	}
	if o.Summary, err = readSummary(op, d.summary); err == nil {
		o.Template, err = readSmall(op, d.template, maxTemplate)
	}
	return o, err
}

// readSummary returns the text of a file, or "" if path is "".
func readSummary(op, path string) (string, error) {
	b, err := readSmall(op, path, maxSummary)
	if err != nil || path == "" {
		return "", err
	}
	text := strings.TrimPrefix(string(b), "\uFEFF")
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", engine.Errorf(engine.CodeInvalid, op, "The summary %s isn't UTF-8 text.", path).WithHint("Save it as plain text in UTF-8.")
	case strings.TrimSpace(text) == "":
		return "", engine.Errorf(engine.CodeInvalid, op, "The summary %s is empty.", path).WithHint("Write text into it, or leave --summary out.")
	}
	return text, nil
}

func (d *documentFlags) date(op string) (time.Time, error) {
	if d.created == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, d.created); err == nil {
			return t, nil
		}
	}
	return time.Time{}, engine.Errorf(engine.CodeInvalid, op, "--created must be a date (got %q).", d.created).
		WithHint("Use 2026-03-01 or 2026-03-01T12:00:00Z.")
}

func readChapters(op, path string) ([]formats.Chapter, error) {
	if path == "" {
		return nil, nil
	}
	b, err := readSmall(op, path, maxChapters)
	if err != nil {
		return nil, err
	}
	chapters, err := formats.ParseChapters(bytes.NewReader(b))
	if failed, ok := errors.AsType[*engine.Error](err); ok {
		err = engine.Errorf(failed.Code, op, "%s: %s", path, failed.Msg).WithHint(failed.Hint)
	}
	return chapters, err
}

// readSmall returns the contents of a file that must not have more than limit bytes, or nil if path is "".
func readSmall(op, path string, limit int64) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, fileError(path, err)
	}
	if int64(len(b)) > limit {
		return nil, engine.Errorf(engine.CodeTooLarge, op, "The file %s has more than %d bytes.", path, limit)
	}
	return b, nil
}
