package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// checkFlags are the parsed flags of `soundstage check`.
type checkFlags struct {
	captions captionFlags
	language string
	fix      bool
	output   string
	json     bool
}

func newCheck(std streams) *cobra.Command {
	var o checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check captions against a broadcaster's limits, and fix them",
		Long: `Checks a caption file (VTT, SRT, TTML, ASS, or EBU STL) from any tool: encoding, syntax, times, empty cues, width, lines, duration,
reading speed, overlaps, gaps, orphans, and split names. It prints each finding with its line, cue, time, and figure. What speech may
force, such as fast text, is a warning.

--fix writes a new file with new lines and times, and the same words; it then checks that file. The name of the new file decides
between SRT and VTT; by default SRT stays SRT, and all others become VTT. Styles and positions are dropped. What can't be read isn't in the new file; stderr lists it.
With -o -, the file is on standard output, and all findings on stderr.

Exit codes: 0 nothing found, 1 errors or warnings found, 2 wrong flags or an unusable file, 3 no such file, 8 the file is too large.`,
		Example: `  soundstage check talk.srt
  soundstage check talk.vtt --profile bbc --json
  soundstage check talk.srt --max-chars 32 --cps 15
  soundstage check talk.ttml --fix -o talk.vtt`,
		Args: exactArgs(1, "one caption file"),
		RunE: func(_ *cobra.Command, args []string) error { return runCheck(args[0], o, std) },
	}
	f := cmd.Flags()
	o.captions.add(cmd)
	f.StringVar(&o.language, "language", "", "language `code`, if the file has none; default a guess by script")
	f.BoolVar(&o.fix, "fix", false, "write a file with new lines and times and the same words")
	f.StringVarP(&o.output, "output", "o", "", "output `file` of --fix, or - for standard output; default FILE with .fixed before its extension")
	f.BoolVar(&o.json, "json", false, "print the findings as JSON")
	return cmd
}

func runCheck(path string, o checkFlags, std streams) error {
	if err := setWritten("check", &o.language); err != nil {
		return err
	}
	if o.output != "" && !o.fix {
		return engine.Errorf(engine.CodeInvalid, "check", "--output needs --fix.")
	}
	limits, err := o.captions.options("check")
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return fileError(path, err)
	}
	defer func() { _ = file.Close() }()
	if err := refuseFolder(path, file); err != nil {
		return err
	}
	options := formats.CheckOptions{Limits: limits, Language: transcript.Language(o.language)}
	report, err := formats.Check(path, file, options)
	if err != nil {
		return err
	}
	if o.fix {
		printFindings(std.err, path, unread(report)) // the fixed file doesn't have it
		if path, report, err = fixCaptions(path, report.Format, file, o.output, options, std.out); err != nil {
			return err
		}
	}
	out := std.out
	if o.output == "-" {
		out = std.err
	}
	if err := writeResult(out, o.json, wireReport(path, report), func() { printCheck(out, path, report) }); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return exitStatus{code: 1}
	}
	return nil
}

// fixCaptions writes a fixed file and checks it. "-" is standard output.
func fixCaptions(path, format string, file io.ReadSeeker, out string, o formats.CheckOptions, stdout io.Writer) (string, formats.Report, error) {
	o.To = "vtt"
	if format == "srt" {
		o.To = "srt"
	}
	if out == "" {
		out = strings.TrimSuffix(path, filepath.Ext(path)) + ".fixed." + o.To
	}
	switch extension := strings.ToLower(filepath.Ext(out)); extension {
	case ".vtt", ".srt":
		o.To = extension[1:]
	case "":
	default:
		return "", formats.Report{}, engine.Errorf(engine.CodeInvalid, "check", "--fix writes VTT and SRT, not %s.", extension).
			WithHint("Choose a name that ends in .vtt or .srt; soundstage export makes other formats of it.")
	}
	if sameFile(out, path) {
		return "", formats.Report{}, engine.Errorf(engine.CodeInvalid, "check", "--fix would overwrite its input %s.", path).WithHint("Choose another file with -o.")
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", formats.Report{}, fileError(path, err)
	}
	var fixed bytes.Buffer
	if err := formats.Fix(&fixed, path, file, o); err != nil {
		return "", formats.Report{}, err
	}
	if out == "-" {
		if _, err := stdout.Write(fixed.Bytes()); err != nil {
			return "", formats.Report{}, err
		}
		out = "standard output"
	} else if err := writeFile(out, fixed.Bytes()); err != nil {
		return "", formats.Report{}, err
	}
	report, err := formats.Check("fixed."+o.To, &fixed, o)
	return out, report, err
}

// unread returns the findings about what couldn't be read.
func unread(r formats.Report) (all []formats.Finding) {
	for _, f := range r.Findings {
		if f.Rule == formats.RuleSyntax {
			all = append(all, f)
		}
	}
	return all
}

// printFindings prints a line for each finding.
func printFindings(w io.Writer, path string, findings []formats.Finding) {
	for _, f := range findings {
		kind := "error"
		if f.Warning {
			kind = "warning"
		}
		where := path
		if f.Line > 0 {
			where += fmt.Sprintf(":%d", f.Line)
		}
		if f.Cue > 0 {
			where += fmt.Sprintf(": cue %d at %s", f.Cue, clock(f.Start))
		}
		fmt.Fprintf(w, "%s: %s: %s: %s\n", where, kind, f.Rule, f.Message)
	}
}

// printCheck prints the findings and how many there are.
func printCheck(w io.Writer, path string, r formats.Report) {
	printFindings(w, path, r.Findings)
	fmt.Fprintf(w, "%s: %s, %s, %s.\n", path, plural(r.Cues, "cue", "cues"), plural(r.Errors(), "error", "errors"),
		plural(len(r.Findings)-r.Errors(), "warning", "warnings"))
}

// wireCheck is the JSON of a report.
type wireCheck struct {
	File     string        `json:"file"`
	Format   string        `json:"format"`
	Language string        `json:"language"`
	Cues     int           `json:"cues"`
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Findings []wireFinding `json:"findings"`
}

// wireFinding is a finding. Value and limit are in the rule's unit: columns, lines, seconds, or characters per second.
type wireFinding struct {
	Rule    formats.Rule `json:"rule"`
	Level   string       `json:"level"`
	Line    int          `json:"line"`
	Cue     int          `json:"cue"`
	StartMS int64        `json:"start_ms"`
	Value   float64      `json:"value"`
	Limit   float64      `json:"limit"`
	Message string       `json:"message"`
}

func wireReport(path string, r formats.Report) wireCheck {
	w := wireCheck{path, r.Format, string(r.Language), r.Cues, r.Errors(), len(r.Findings) - r.Errors(), []wireFinding{}}
	for _, f := range r.Findings {
		level := "error"
		if f.Warning {
			level = "warning"
		}
		w.Findings = append(w.Findings, wireFinding{f.Rule, level, f.Line, f.Cue, f.Start.Milliseconds(), f.Value, f.Limit, f.Message})
	}
	return w
}
