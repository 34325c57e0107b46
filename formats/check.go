package formats

import (
	"cmp"
	"io"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Rule is a rule of captions that Check applies.
type Rule string

const (
	RuleEncoding Rule = "encoding" // the file is not UTF-8, or has U+FFFD
	RuleSyntax   Rule = "syntax"   // something couldn't be read
	RuleTimes    Rule = "times"    // a cue ends before it starts, or starts before the previous one
	RuleEmpty    Rule = "empty"    // a cue has no text
	RuleWidth    Rule = "width"    // a line is too wide, in columns
	RuleLines    Rule = "lines"    // a cue has too many lines
	RuleLong     Rule = "long"     // a cue lasts too long, in seconds
	RuleShort    Rule = "short"    // a cue is too short, in seconds
	RuleSpeed    Rule = "speed"    // too many characters per second
	RuleOverlap  Rule = "overlap"  // a cue starts before the previous one ends, in seconds
	RuleGap      Rule = "gap"      // too little time between two cues, in seconds
	RuleOrphan   Rule = "orphan"   // one short word is alone in a line, or in a cue amid a sentence
	RuleName     Rule = "name"     // a name is split between lines or cues
)

// Rules returns every rule, in the order above.
func Rules() []Rule {
	return []Rule{
		RuleEncoding, RuleSyntax, RuleTimes, RuleEmpty, RuleWidth, RuleLines, RuleLong, RuleShort, RuleSpeed, RuleOverlap, RuleGap, RuleOrphan, RuleName,
	}
}

// Finding is a place in a caption file that breaks a rule.
type Finding struct {
	Rule    Rule
	Warning bool          // speech may force it: it is not certainly an error
	Line    int           // of the cue's times, from 1, in EBU STL the block; 0 for the whole file
	Cue     int           // from 1, in the order of the file; 0 if it concerns no cue
	Start   time.Duration // of the cue
	Value   float64       // the figure, in the unit of the rule; 0 if it has none
	Limit   float64       // that Value breaks
	Message string
}

// CheckOptions configure Check and Fix.
type CheckOptions struct {
	Limits   captions.Options    // the zero value means Netflix's limits
	Language transcript.Language // used if the file has none; "" means a guess by script
	To       string              // the format that Fix writes: vtt or srt; "" means srt for SRT, and vtt for others
}

// Report is the result of Check.
type Report struct {
	Format   string // vtt, srt, ttml, ass, or stl
	Language transcript.Language
	Cues     int
	Findings []Finding // by line; the first 10,000
}

// Errors returns the number of findings that are not warnings.
func (r Report) Errors() int {
	n := 0
	for _, f := range r.Findings {
		if !f.Warning {
			n++
		}
	}
	return n
}

const maxFindings = 10_000

// Check applies all rules to a caption file: VTT, SRT, TTML, ASS, or EBU STL. It detects the format as Parse does. A file that can't be read at all is an
// error with the codes of Parse.
func Check(name string, r io.Reader, o CheckOptions) (Report, error) {
	const op = "Check"
	k, text, found, err := readFile(op, name, r)
	if err != nil {
		return Report{}, err
	}
	f, err := readCaptionFile(op, k, text)
	if err != nil {
		return Report{}, err
	}
	c := newChecker(f, o)
	for _, p := range found.list() {
		c.add(Finding{Rule: RuleEncoding, Line: p.Line, Message: p.Message})
	}
	for _, p := range f.problems.list() {
		c.add(Finding{Rule: RuleSyntax, Line: p.Line, Message: p.Message})
	}
	for i := range f.cues {
		c.cue(i)
	}
	c.neighbours()
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return Report{Format: k.extension(), Language: c.language, Cues: len(f.cues), Findings: c.findings}, nil
}

// readCaptionFile reads a caption file with its problems of syntax only.
func readCaptionFile(op string, k kind, text []byte) (captionFile, error) {
	if k == kindJSON || k == kindLRC || k == kindTXT || k == kindUnknown {
		return captionFile{}, fault.Errorf(fault.CodeInvalid, op, "The file has no captions.").WithHint("Use a .vtt, .srt, .ttml, .ass, or .stl file.")
	}
	f, err := readCaptions(op, k, text, problems{})
	if err == nil && len(f.cues) > maxCues {
		err = tooManyCues(op, len(f.cues))
	}
	if err == nil && len(f.cues) == 0 && len(f.problems.found) > 0 {
		err = fault.Errorf(fault.CodeInvalid, op, "%s", f.problems.first())
	}
	return f, err
}

func (k kind) extension() string {
	return [...]string{"", "vtt", "srt", "ttml", "json", "ass", "lrc", "stl", "txt"}[k]
}
