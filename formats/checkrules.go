package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// checker applies rules to the cues of a file.
type checker struct {
	cues     []sourceCue
	lines    [][]string // of each cue, as viewers see them
	language transcript.Language
	limits   captions.Options
	names    *captions.Names
	findings []Finding
}

func newChecker(f captionFile, o CheckOptions) *checker {
	c := &checker{cues: f.cues, lines: make([][]string, len(f.cues)), language: cmp.Or(f.language, o.Language)}
	for i, cue := range f.cues {
		c.lines[i] = cue.lines()
	}
	if c.language == "" {
		c.language = languageOfScript(c.lines)
	}
	c.limits, c.names = o.Limits.WithDefaults(c.language), captions.NewNames(c.language)
	return c
}

// languageOfScript returns the language of a script that only one of the supported languages has, or "".
func languageOfScript(cues [][]string) transcript.Language {
	counts := map[transcript.Language]int{}
	for _, lines := range cues {
		for _, r := range strings.Join(lines, "") {
			switch {
			case unicode.In(r, unicode.Hiragana, unicode.Katakana):
				counts["ja"] += 3 // every Japanese sentence has kana
			case unicode.Is(unicode.Hangul, r):
				counts["ko"]++
			case unicode.Is(unicode.Han, r):
				counts["zh"]++
			case unicode.Is(unicode.Devanagari, r):
				counts["hi"]++
			case unicode.IsLetter(r):
				counts[""]++
			}
		}
	}
	best := transcript.Language("")
	for _, l := range []transcript.Language{"ja", "ko", "zh", "hi"} {
		if counts[l] > counts[best] {
			best = l
		}
	}
	return best
}

func (c *checker) add(f Finding) {
	if len(c.findings) < maxFindings {
		c.findings = append(c.findings, f)
	}
}

// at adds a finding of a cue.
func (c *checker) at(i int, rule Rule, warning bool, value, limit float64, format string, args ...any) {
	cue := c.cues[i]
	c.add(Finding{Rule: rule, Warning: warning, Line: cue.line, Cue: i + 1, Start: cue.start, Value: value, Limit: limit, Message: fmt.Sprintf(format, args...)})
}

// cue applies the rules of a single cue.
func (c *checker) cue(i int) {
	lines, o := c.lines[i], c.limits
	if len(lines) == 0 {
		c.at(i, RuleEmpty, false, 0, 0, "the cue has no text.")
		return
	}
	if len(lines) > o.Lines {
		c.at(i, RuleLines, false, float64(len(lines)), float64(o.Lines), "%d lines; at most %d are allowed.", len(lines), o.Lines)
	}
	chars := len(lines) - 1
	for k, l := range lines {
		if w := captions.Width(l); w > o.Columns {
			c.at(i, RuleWidth, false, float64(w), float64(o.Columns), "text line %d has %d columns; at most %d are allowed.", k+1, w, o.Columns)
		}
		if strings.ContainsRune(l, utf8.RuneError) {
			c.at(i, RuleEncoding, false, 0, 0, "text line %d has U+FFFD, a character that was lost.", k+1)
		}
		chars += utf8.RuneCountInString(l)
	}
	c.duration(i, chars)
	c.breaks(i, lines)
}

// duration applies the rules of a cue's times.
func (c *checker) duration(i, chars int) {
	cue, o := c.cues[i], c.limits
	d := cue.end - cue.start
	switch {
	case d <= 0:
		c.at(i, RuleTimes, false, d.Seconds(), 0, "the cue ends at %s, but starts at %s.", clockMillis(cue.end), clockMillis(cue.start))
		return
	case d > o.MaxDuration:
		c.at(i, RuleLong, false, d.Seconds(), o.MaxDuration.Seconds(), "the cue lasts %.3f s; at most %.3f s are allowed.", d.Seconds(), o.MaxDuration.Seconds())
	case d < o.MinDuration-tolerance:
		c.at(i, RuleShort, true, d.Seconds(), o.MinDuration.Seconds(), "the cue lasts %.3f s; at least %.3f s are recommended.", d.Seconds(), o.MinDuration.Seconds())
	}
	if speed := float64(chars) / d.Seconds(); speed > o.ReadingSpeed {
		c.at(i, RuleSpeed, true, speed, o.ReadingSpeed, "%.1f characters per second; at most %.1f are recommended.", speed, o.ReadingSpeed)
	}
}

// tolerance is half a millisecond more than frames can be rounded by.
const tolerance = 1500 * time.Microsecond

// neighbours applies the rules of two cues that follow each other in time.
func (c *checker) neighbours() {
	order := make([]int, len(c.cues))
	for i := range order {
		order[i] = i
		if i > 0 && c.cues[i].start < c.cues[i-1].start {
			c.at(i, RuleTimes, false, c.cues[i].start.Seconds(), c.cues[i-1].start.Seconds(), "the cue starts at %s, before the previous cue at %s.",
				clockMillis(c.cues[i].start), clockMillis(c.cues[i-1].start))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.cues[a].start, c.cues[b].start) })
	for n := 1; n < len(order); n++ {
		before, i := order[n-1], order[n]
		gap := c.cues[i].start - c.cues[before].end
		switch {
		case gap < 0:
			warning := speakerOf(c.cues[i]) != speakerOf(c.cues[before]) // two people may talk at once
			c.at(i, RuleOverlap, warning, (-gap).Seconds(), 0, "the cue starts %.3f s before the end of cue %d.", (-gap).Seconds(), before+1)
		case gap < c.limits.Gap-tolerance:
			c.at(i, RuleGap, true, gap.Seconds(), c.limits.Gap.Seconds(), "the gap to cue %d is %.3f s; at least %.3f s are recommended.", before+1, gap.Seconds(), c.limits.Gap.Seconds())
		}
		if gap < c.limits.MaxPause && speakerOf(c.cues[i]) == speakerOf(c.cues[before]) {
			c.follows(before, i)
		}
	}
}

func speakerOf(c sourceCue) string {
	if len(c.spans) == 0 {
		return ""
	}
	return c.spans[0].speaker
}
