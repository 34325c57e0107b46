package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// exportFlags are the parsed flags of `soundstage export`.
type exportFlags struct {
	to           []string
	dir          string
	title        string
	language     string
	noTimestamps bool
	captions     captionFlags
}

func newExport(std streams) *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Convert a transcript file to other formats",
		Long: `Converts a transcript file: VTT, SRT, TTML, or the JSON of Soundstage, AssemblyAI, Deepgram, whisper.cpp, or WhisperX. Captions are
rebuilt from the words; words without timestamps get theirs from their line. Captions that are too fast to read are written as they
are, and counted on stderr.

What can't be read, such as a cue with a broken time, is skipped and printed with its line.

Exit codes: 2 wrong flags or an invalid file (the error has line and column), 3 no such file, 5 no font for a script.`,
		Example: `  soundstage export talk.srt --to docx,pdf
  soundstage export whisper.json --to vtt,srt,txt -o captions --language de`,
		Args: exactArgs(1, "one transcript file"),
		RunE: func(_ *cobra.Command, args []string) error { return export(args[0], o, std) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.to, "to", nil, "comma-separated `formats`: "+formatList()+" (required)")
	f.StringVarP(&o.dir, "output", "o", "", "output `folder`; default the file's own")
	f.StringVar(&o.title, "title", "", "`title` of documents; default the file's name")
	f.StringVar(&o.language, "language", "", "language `code`, if the file has none")
	f.BoolVar(&o.noTimestamps, "no-timestamps", false, "leave timestamps out of txt, docx, and pdf")
	o.captions.add(f)
	return cmd
}

func export(path string, o exportFlags, std streams) error {
	var targets []formats.Format
	for _, name := range o.to {
		f, ok := formats.Lookup(strings.ToLower(strings.TrimSpace(name)))
		if !ok {
			return engine.Errorf(engine.CodeInvalid, "export", "Unknown format %q.", name).WithHint("Set --to to some of " + formatList() + ".")
		}
		targets = append(targets, f)
	}
	if len(targets) == 0 {
		return engine.Errorf(engine.CodeInvalid, "export", "--to is required: the formats to write.").WithHint("Use some of " + formatList() + ".")
	}
	if o.language != "" && !transcript.Language(o.language).Supported() {
		return engine.Errorf(engine.CodeInvalid, "export", "Language %q is not supported.", o.language).WithHint("Use one of " + languageList() + ".")
	}
	limits, err := o.captions.options("export")
	if err != nil {
		return err
	}
	parsed, err := readTranscript(std, path, transcript.Language(o.language))
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if o.dir == "" {
		o.dir = filepath.Dir(path)
	} else if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "export", "The folder %s can't be created.", o.dir).WithHint("Choose another with -o.").Because(err)
	}
	if o.title == "" {
		o.title = stem
	}
	for _, f := range targets {
		out := filepath.Join(o.dir, stem+f.Extension)
		if sameFile(out, path) {
			return engine.Errorf(engine.CodeInvalid, "export", "The export would overwrite its input %s.", path).WithHint("Choose another folder with -o.")
		}
		var doc bytes.Buffer
		if err := f.Write(&doc, parsed.Transcript, formats.Options{Title: o.title, Names: parsed.Names, RecordingID: parsed.RecordingID, OmitTimestamps: o.noTimestamps, Captions: limits}); err != nil {
			return err
		}
		if err := writeFile(out, doc.Bytes()); err != nil {
			return err
		}
		fmt.Fprintln(std.out, out)
	}
	if slices.ContainsFunc(targets, func(f formats.Format) bool { return f.Name == "vtt" || f.Name == "srt" }) {
		reportFast(parsed.Transcript, limits, std)
	}
	return nil
}

// reportFast says how many captions are too fast to read.
func reportFast(t transcript.Transcript, limits captions.Options, std streams) {
	cues := captions.Build(t, nil, limits)
	if fast := captions.TooFast(cues, t.Language, limits); len(fast) > 0 {
		fmt.Fprintf(std.err, "soundstage: Faster than %g characters per second: %d of %d captions, the first at %s.\n",
			limits.WithDefaults(t.Language).ReadingSpeed, len(fast), len(cues), clock(fast[0].Start))
	}
}

// readTranscript parses a transcript file and prints its problems. language is used if the file has none.
func readTranscript(std streams, path string, language transcript.Language) (formats.Parsed, error) {
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
	printProblems(std.err, path, parsed.Problems)
	return parsed, nil
}

const maxPrintedProblems = 20

// printProblems prints what a reader skipped, changed, or guessed.
func printProblems(w io.Writer, path string, problems []formats.Problem) {
	for _, p := range problems[:min(len(problems), maxPrintedProblems)] {
		fmt.Fprintf(w, "%s: %s\n", path, p)
	}
	if n := len(problems) - maxPrintedProblems; n > 0 {
		fmt.Fprintf(w, "%s: %d more problems. soundstage check lists all.\n", path, n)
	}
}

// sameFile reports whether two paths are the same file.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
