package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// FaultKind is what is wrong with a generated text.
type FaultKind string

const (
	FaultCitation FaultKind = "citation" // it cites a place that was not given
	FaultQuote    FaultKind = "quote"    // it quotes words that nobody says, or not when and by whom they are said
	FaultChapter  FaultKind = "chapter"  // a chapter has no time, or one at which nothing begins
	FaultOrder    FaultKind = "order"    // chapters are not in order
	FaultNothing  FaultKind = "nothing"  // it has no quotes, or no chapters
	FaultSubject  FaultKind = "subject"  // it is about something else than the transcript
)

// Fault is one thing that is wrong with a generated text. Text describes it to the model that wrote the text. It may quote the text, so it is
// untrusted.
type Fault struct {
	Kind FaultKind
	Text string
}

const (
	maxFaults = 8   // that are reported
	maxShown  = 100 // characters of a text that a fault quotes
	maxItems  = 300 // quotes or chapters of a text
)

// faults collects what is wrong with a text, without repetitions.
type faults []Fault

// add adds a fault. It shortens texts in args.
func (f *faults) add(kind FaultKind, format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = shown(text)
		}
	}
	fault := Fault{kind, fmt.Sprintf(format, args...)}
	if len(*f) < maxFaults && !slices.Contains(*f, fault) {
		*f = append(*f, fault)
	}
}

// shown returns a text on one line, shortened.
func shown(text string) string {
	text = transcript.OneLine(strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}

// Source is what a text was generated from, prepared for checks.
type Source struct {
	said    string // letters and digits of all utterances, folded
	ends    []int  // end of each utterance in said
	all     []transcript.Utterance
	names   []string     // of speakers, folded
	starts  map[int]bool // seconds at which an utterance begins
	verbal  []string     // texts in which brackets with numbers are words: utterances, titles, the context
	context string       // letters of titles and of the context
}

// NewSource prepares passages, and the user's description of the recording.
func NewSource(passages []transcript.Passage, about string) *Source {
	s := &Source{starts: map[int]bool{}, verbal: []string{about}}
	var said, context strings.Builder
	context.WriteString(letters(about))
	for _, p := range passages {
		s.verbal = append(s.verbal, p.Title)
		context.WriteString(" " + letters(p.Title))
		for _, u := range p.Utterances {
			said.WriteString(letters(u.Text))
			s.all, s.ends = append(s.all, u), append(s.ends, said.Len())
			s.starts[seconds(u.Start)] = true
			s.verbal = append(s.verbal, u.Text)
			if name := letters(u.Speaker); name != "" && !slices.Contains(s.names, name) {
				s.names = append(s.names, name)
			}
		}
	}
	s.said, s.context = said.String(), context.String()
	return s
}

// seconds returns a time in whole seconds, as texts show it.
func seconds(d time.Duration) int { return int(max(d, 0) / time.Second) }

// place is a range of utterances [from, to] that say something.
type place struct{ from, to int }

// maxPlaces limits the places of a quote that is said again and again.
const maxPlaces = 1000

// places returns where words, as returned by letters, are said.
func (s *Source) places(words string) (found []place) {
	if words == "" {
		return nil
	}
	for at := 0; len(found) < maxPlaces; {
		i := strings.Index(s.said[at:], words)
		if i < 0 {
			return found
		}
		i += at
		from, _ := slices.BinarySearch(s.ends, i+1)
		to, _ := slices.BinarySearch(s.ends, i+len(words))
		found = append(found, place{from, to})
		at = s.ends[from] // the next utterance
	}
	return found
}

// says reports whether words are said, or are part of the context.
func (s *Source) says(words string) bool {
	return words == "" || strings.Contains(s.said, words) || strings.Contains(s.context, words)
}
