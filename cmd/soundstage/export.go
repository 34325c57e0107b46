package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/startgc"
)

// exportFlags are the parsed flags of `soundstage export`.
type exportFlags struct {
	to        []string
	dir       string
	language  string
	wordTimes bool
	documents documentFlags
	timelines timelineFlags
	captions  captionFlags
}

func newExport(std streams) *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Convert a transcript file to other formats",
		Long: `Converts a transcript file: VTT, SRT, TTML, ASS, EBU STL, LRC, the TXT of Otter, or the JSON of Soundstage, AssemblyAI,
Deepgram, whisper.cpp, or WhisperX. Captions are rebuilt from the words; words without timestamps get theirs from their
line. Captions that are too fast to read are written as they are, and counted on stderr.

What can't be read, such as a cue with a broken time, is skipped and printed with its line.

Documents are txt, md, html, pdf, docx, and xlsx. Unnamed speakers are counted from 1 there; --name takes the labels of the file, which often begin
with "Speaker 0".

Timelines are otio, fcpxml, and edl, for video editors. They have markers for chapters, for each paragraph of a speaker, and with
--suggest-clips for parts that would make clips.

If a format of several can't be written, the others are. The exit code is that of the first error.

Exit codes: 2 wrong flags or an invalid file (the error has line and column), 3 no such file, 5 no font for a script, 6 letters that EBU STL lacks.`,
		Example: `  soundstage export talk.srt --to docx,pdf
  soundstage export whisper.json --to vtt,srt,txt -o captions --language de
  soundstage export talk.json --to pdf,docx --name "Speaker 0=Ann Lee" --chapters chapters.txt --speaker-table
  soundstage export talk.json --to html --media talk.mp4
  soundstage export talk.json --to edl,fcpxml --media talk.mov --fps 29.97df --start-timecode "01:00:00;00"`,
		Args: exactArgs(1, "one transcript file"),
		RunE: func(_ *cobra.Command, args []string) error { return export(args[0], o, std) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.to, "to", nil, "comma-separated `formats`: "+formatList()+" (required)")
	f.StringVarP(&o.dir, "output", "o", "", "output `folder`; default the file's own")
	f.StringVar(&o.language, "language", "", "language `code`, if the file has none")
	f.BoolVar(&o.wordTimes, "word-times", false, "give each word of lrc a time")
	o.documents.add(f)
	o.timelines.add(f)
	o.captions.add(cmd)
	return cmd
}

// exportGC returns the GOGC of an export of a file to count formats, which ends soon. An export allocates about ten times the size of its
// file. For most files, 800 collects none or once, and saves a seventh of the CPU time of 200. For large files, and for many formats, which each
// leave garbage, it would take too much memory.
func exportGC(path string, count int) int {
	const large = 8 << 20 // bytes; 8 hours of words with times
	info, err := os.Stat(path)
	switch {
	case count > 1:
		return 100
	case err == nil && info.Size() < large:
		return 800
	}
	return 200
}

func export(path string, o exportFlags, std streams) error {
	targets, err := exportTargets(o.to)
	if err != nil {
		return err
	}
	startgc.Set(exportGC(path, len(targets)))
	if err := setWritten("export", &o.language); err != nil {
		return err
	}
	limits, err := o.captions.options("export")
	if err != nil {
		return err
	}
	if err := o.documents.check("export", targets); err != nil {
		return err
	}
	if err := o.timelines.check("export", targets, o.documents.chapters); err != nil {
		return err
	}
	parsed, err := readTranscript(std, path, transcript.Language(o.language))
	if err != nil {
		return err
	}
	options, err := o.documents.options("export", parsed)
	if err != nil {
		return err
	}
	if err := o.timelines.set(&options, parsed.Transcript); err != nil {
		return err
	}
	options.Captions, options.WordTimes = limits, o.wordTimes
	stem := exportStem(path)
	if o.dir == "" {
		o.dir = filepath.Dir(path)
	} else if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "export", "The folder %s can't be created.", o.dir).WithHint("Choose another with -o.").Because(err)
	}
	if options.Title == "" {
		options.Title = stem
	}
	cues, err := writeExports(std, path, stem, o.dir, targets, parsed.Transcript, options)
	reportFast(std, cues, parsed.Language, limits)
	return err
}

// exportStem returns the name of a file without its folder and its extension, which may be one of ours with two parts, such as .ebuttd.xml.
func exportStem(path string) string {
	name := filepath.Base(path)
	for _, f := range formats.All() {
		if stem, ok := strings.CutSuffix(name, f.Extension); ok && stem != "" && strings.Count(f.Extension, ".") > 1 {
			return stem
		}
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

func exportTargets(names []string) ([]formats.Format, error) {
	var targets []formats.Format
	for _, name := range names {
		f, ok := formats.Lookup(strings.ToLower(strings.TrimSpace(name)))
		if !ok {
			return nil, unknownValue("export", "format", name, formatNames())
		}
		if !slices.ContainsFunc(targets, func(t formats.Format) bool { return t.Name == f.Name }) {
			targets = append(targets, f)
		}
	}
	if len(targets) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, "export", "--to is required: the formats to write.").WithHint("Use some of " + formatList() + ".")
	}
	return targets, nil
}

// hasCaptions reports whether a format shows captions at a time.
func hasCaptions(f formats.Format) bool {
	return slices.Contains([]string{"vtt", "srt", "ass", "ttml", "ebuttd", "lrc", "stl"}, f.Name)
}

// reportFast says how many captions are too fast to read.
func reportFast(std streams, cues []captions.Cue, language transcript.Language, limits captions.Options) {
	if fast := captions.TooFast(cues, language, limits); len(fast) > 0 {
		printFast(std, limits.WithDefaults(language).ReadingSpeed, len(fast), len(cues), fast[0].Start)
	}
}

// printFast says how many captions need a higher reading speed than the limit, and where the first of them is.
func printFast(std streams, limit float64, fast, all int, first time.Duration) {
	fmt.Fprintf(std.err, "soundstage: Faster than %g characters per second: %d of %d captions, the first at %s.\n", limit, fast, all, clock(first))
}

// readTranscript parses a transcript file and prints its problems. language is used if the file has none.
func readTranscript(std streams, path string, language transcript.Language) (formats.Parsed, error) {
	file, err := os.Open(path)
	if err != nil {
		return formats.Parsed{}, fileError(path, err)
	}
	defer func() { _ = file.Close() }()
	if err := refuseFolder(path, file); err != nil {
		return formats.Parsed{}, err
	}
	parsed, err := formats.Parse(path, file)
	if e, ok := errors.AsType[*engine.Error](err); ok && e.Code == engine.CodeInvalid && (mediaFile{path: path}).isMedia() {
		return formats.Parsed{}, e.WithHint("It looks like audio or video: `soundstage transcribe` makes a transcript of it.")
	}
	if err != nil {
		return formats.Parsed{}, err
	}
	if parsed.Language == "" {
		parsed.Language = language
	}
	printProblems(std.err, path, parsed.Problems)
	return parsed, nil
}

// checkFile returns an error if a file doesn't exist or is a folder.
func checkFile(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		return fileError(path, err)
	}
	return nil
}

// refuseFolder returns an error if an open file is a folder, as for a file that doesn't exist.
func refuseFolder(path string, file *os.File) error {
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return fileError(path, syscall.EISDIR)
	}
	return nil
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
