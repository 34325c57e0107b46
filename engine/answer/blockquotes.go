package answer

import (
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

type utterance = transcript.Utterance

var (
	times  = lazyregexp.New(`\b(\d{1,3}):(\d{2})(?::(\d{2}))?\b`)
	dash   = lazyregexp.New(`^[\s*_]*(?:—|–|―|-{1,2})\s*(.*)$`)
	inline = lazyregexp.New(`^(.*\S)\s+(?:—|–|―|-{1,2})\s*(\S.*)$`)
)

// blockQuote is a quote of a text, and the line behind it, without its dash.
type blockQuote struct{ words, source string }

// quoteReader reads the block quotes of a text.
type quoteReader struct {
	s      *Source
	quotes []blockQuote
	words  []string // of the current quote
	gap    bool     // whether a line outside the block follows them
}

// blockQuotes returns the block quotes of a text. A line with a dash and a source ends the words of a quote. It may follow the block.
func (s *Source) blockQuotes(text string) []blockQuote {
	r := quoteReader{s: s}
	for line := range strings.Lines(text) {
		r.read(strings.TrimSpace(line))
	}
	if len(r.words) > 0 {
		r.end("")
	}
	return r.quotes
}

func (r *quoteReader) read(line string) {
	inside, quoted := strings.CutPrefix(line, ">")
	inside = strings.TrimLeft(inside, "> ")
	source, isSource := r.source(strings.TrimLeft(line, "> "))
	switch {
	case inside == "" && !quoted, inside == "" && line == "":
		r.gap = r.gap || len(r.words) > 0
	case inside == "":
	case isSource && (quoted || len(r.words) > 0):
		r.end(source)
	case !quoted:
		if r.gap = true; len(r.words) > 0 {
			r.end("")
		}
	default:
		if r.gap && len(r.words) > 0 {
			r.end("")
		}
		r.gap = false
		if m := inline.FindStringSubmatch(inside); m != nil && times.MatchString(m[2]) {
			r.words = append(r.words, m[1])
			r.end(m[2])
			return
		}
		r.words = append(r.words, inside)
	}
}

// source returns the part behind the dash of a line that says where a quote is from. Other lines with a dash are speech.
func (r *quoteReader) source(line string) (source string, ok bool) {
	m := dash.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	name, _, _ := strings.Cut(m[1], ",")
	for _, known := range r.s.names {
		ok = ok || known == letters(name)
	}
	return m[1], ok || times.MatchString(m[1])
}

func (r *quoteReader) end(source string) {
	r.quotes = append(r.quotes, blockQuote{strings.Join(r.words, " "), source})
	r.words, r.gap = nil, false
}

// readTime returns the first time in a text, in seconds.
func readTime(text string) (at int, ok bool) {
	m := times.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return timeOf(m[1:4]), true
}

// timeOf returns the seconds of m:ss or h:mm:ss, split at the colons.
func timeOf(parts []string) (at int) {
	for _, p := range parts {
		if p != "" {
			n, _ := strconv.Atoi(p) // at most three digits
			at = at*60 + n
		}
	}
	return at
}
