package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// exportFlags say what a transcript file becomes and where.
type exportFlags struct {
	to           []string
	dir          string
	title        string
	language     string
	noTimestamps bool
}

func newExport(std streams) *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Convert a transcript file to other formats",
		Long: `Converts a transcript that you have: VTT, SRT, or the JSON of Soundstage, AssemblyAI, Deepgram, whisper.cpp or WhisperX.
Captions are built anew from the words; words without times get theirs from the line that they stand in.

Exit codes: 2 wrong flags or a broken file (the sentence has line and column), 3 no such file, 5 no font for a script.`,
		Example: `  soundstage export talk.srt --to docx,pdf
  soundstage export whisper.json --to vtt,srt,txt -o captions --language de`,
		Args: exactly(1, "one transcript file"),
		RunE: func(_ *cobra.Command, args []string) error { return export(args[0], o, std) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.to, "to", nil, "`formats`, with commas between: "+formatList()+" (required)")
	f.StringVarP(&o.dir, "output", "o", "", "`folder` to write to; default the file's own")
	f.StringVar(&o.title, "title", "", "`title` of documents; default the file's name")
	f.StringVar(&o.language, "language", "", "language `code`, where the file doesn't say")
	f.BoolVar(&o.noTimestamps, "no-timestamps", false, "leave timestamps out of txt, docx and pdf")
	return cmd
}

func export(path string, o exportFlags, std streams) error {
	var targets []formats.Format
	for _, name := range o.to {
		f, ok := formats.Lookup(strings.ToLower(strings.TrimSpace(name)))
		if !ok {
			return engine.Errorf(engine.CodeInvalid, "export", "There is no format %q.", name).WithHint("Use some of " + formatList() + " with --to.")
		}
		targets = append(targets, f)
	}
	if len(targets) == 0 {
		return engine.Errorf(engine.CodeInvalid, "export", "--to is needed: the formats to write.").WithHint("Use some of " + formatList() + ".")
	}
	if o.language != "" && !transcript.Language(o.language).Supported() {
		return engine.Errorf(engine.CodeInvalid, "export", "Language %q is not supported.", o.language).WithHint("Use one of " + languageList() + ".")
	}
	parsed, err := readTranscript(path, transcript.Language(o.language))
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if o.dir == "" {
		o.dir = filepath.Dir(path)
	} else if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "export", "The folder %s can't be made.", o.dir).WithHint("Choose another with -o.").Because(err)
	}
	if o.title == "" {
		o.title = stem
	}
	for _, f := range targets {
		out := filepath.Join(o.dir, stem+f.Extension)
		if same(out, path) {
			return engine.Errorf(engine.CodeInvalid, "export", "%s would be written over itself.", path).WithHint("Choose another folder with -o.")
		}
		var doc bytes.Buffer
		if err := f.Write(&doc, parsed.Transcript, formats.Options{Title: o.title, Names: parsed.Names, RecordingID: parsed.RecordingID, OmitTimestamps: o.noTimestamps}); err != nil {
			return err
		}
		if err := writeFile(out, doc.Bytes()); err != nil {
			return err
		}
		fmt.Fprintln(std.out, out)
	}
	return nil
}

// readTranscript parses a transcript file; language counts where the file doesn't say what it speaks.
func readTranscript(path string, language transcript.Language) (formats.Parsed, error) {
	file, err := os.Open(path)
	if err != nil {
		return formats.Parsed{}, fileError(path, err)
	}
	defer func() { _ = file.Close() }()
	parsed, err := formats.Parse(path, file)
	if err != nil {
		return formats.Parsed{}, err
	}
	if parsed.Language == "" {
		parsed.Language = language
	}
	return parsed, nil
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
