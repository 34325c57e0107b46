package formats

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// ParseTXT reads text with a line of speaker and time above each paragraph: Otter's ("Ada Byron  1:05") and ours ("[00:01:05] Ada Byron:").
// Each paragraph becomes an utterance that ends at the next one; Problems says how the last end was guessed. What is above the first such line, such
// as a title, is skipped.
func ParseTXT(r io.Reader) (Parsed, error) { return parseCaptions("ParseTXT", kindTXT, r) }

var (
	otterHeading = lazyregexp.New(`^(\S.{0,99}?)(?:[ \x{00a0}]{2,}|\t+)((?:\d{1,3}:)?\d{1,3}:\d\d)\s*$`)
	ownHeading   = lazyregexp.New(`^\[(\d{2,4}:\d\d:\d\d)\](?: (.{1,100}):)?$`)
	otterFooter  = lazyregexp.New(`^Transcribed by https?://otter\.ai/?\s*$`)
)

// readingSpeed is how many characters are spoken in a second, for the last paragraph: 150 English words per minute.
const readingSpeed = 15

// heading returns the speaker and the time of a line above a paragraph.
func heading(l string) (speaker string, start time.Duration, ok bool) {
	if m := otterHeading.FindStringSubmatch(l); m != nil {
		start, ok = lrcClock(m[2])
		return captions.CleanText(m[1]), start, ok
	}
	if m := ownHeading.FindStringSubmatch(l); m != nil {
		start, ok = lrcClock(m[1])
		return captions.CleanText(m[2]), start, ok
	}
	return "", 0, false
}

const maxTitle = 1 << 16 // bytes above the first heading

// isTXT reports whether one of the first lines is a heading.
func isTXT(text []byte) bool {
	for l := range strings.SplitSeq(string(text[:min(len(text), maxTitle)]), "\n") {
		if _, _, ok := heading(strings.TrimRight(l, "\r")); ok {
			return true
		}
	}
	return false
}

func readTXT(text string, found problems) captionFile {
	f := captionFile{problems: found}
	var body strings.Builder
	flush := func(end time.Duration) {
		if n := len(f.cues); n > 0 {
			f.cues[n-1].end = end
			f.cues[n-1].spans[0].text = body.String()
		}
		body.Reset()
	}
	titled := false
	for i, l := range splitLines(text) {
		if speaker, start, ok := heading(l); ok {
			flush(start)
			f.cues = append(f.cues, sourceCue{line: i + 1, start: start, spans: []span{{speaker: speaker}}})
			continue
		}
		switch {
		case isBlank(l), otterFooter.MatchString(l):
		case len(f.cues) > 0:
			body.WriteString(l + "\n")
		case !titled:
			titled = true
			f.problems.add(i+1, "text above the first speaker was skipped.")
		}
	}
	if n := len(f.cues); n > 0 {
		guess := time.Duration(utf8.RuneCountInString(body.String())) * time.Second / readingSpeed
		f.problems.add(f.cues[n-1].line, "nothing tells the end of the last paragraph; it got %.1f s by its length.", guess.Seconds())
		flush(f.cues[n-1].start + guess)
	}
	return f.sharePeriods()
}

// sharePeriods gives paragraphs that begin in the same second parts of the time until the next one.
func (f captionFile) sharePeriods() captionFile {
	for i := 0; i < len(f.cues); {
		n := i + 1
		for n < len(f.cues) && f.cues[n].start == f.cues[i].start {
			n++
		}
		begin, period := f.cues[i].start, f.cues[n-1].end-f.cues[i].start
		for k := i; k < n && period > 0; k++ {
			f.cues[k].start = begin + period*time.Duration(k-i)/time.Duration(n-i)
			f.cues[k].end = begin + period*time.Duration(k-i+1)/time.Duration(n-i)
		}
		i = n
	}
	return f
}
