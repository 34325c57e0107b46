package library

import (
	"context"
	"sort"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

type quoteIn struct {
	Recording recordingName `json:"recording" jsonschema:"id or number of the recording"`
	Text      string        `json:"text,omitempty" jsonschema:"words to find, in their order; case and punctuation don't matter"`
	StartMS   int64         `json:"start_ms,omitempty" jsonschema:"start of the range to quote"`
	EndMS     int64         `json:"end_ms,omitempty" jsonschema:"end of the range to quote; at most 3 minutes after start_ms"`
	Limit     int           `json:"limit,omitempty" jsonschema:"most quotes to return"`
}

type quoteOut struct {
	assistant.Untrusted
	ref
	Quotes []quote `json:"quotes"`
	More   string  `json:"more,omitempty" jsonschema:"how to get the rest"`
}

// quote is what one speaker says.
type quote struct {
	passage
	Before string `json:"before,omitempty" jsonschema:"words before the quote"`
	After  string `json:"after,omitempty" jsonschema:"words after the quote"`
}

// around is how many words before and after a quote are returned.
const around = 12

func (t *tools) quote(ctx context.Context, _ assistant.Call, in quoteIn) (*quoteOut, error) {
	const op = "quote"
	wanted, ranged := letters(in.Text), in.StartMS != 0 || in.EndMS != 0
	switch {
	case (in.Text != "") == ranged:
		return nil, engine.Errorf(engine.CodeInvalid, op, "Set either text, or start_ms and end_ms.")
	case in.Text != "" && wanted == "":
		return nil, engine.Errorf(engine.CodeInvalid, op, "The text has no words (got %.100q).", in.Text)
	case ranged && (in.EndMS <= in.StartMS || in.EndMS-in.StartMS > transcript.MaxWindow.Milliseconds()):
		return nil, engine.Errorf(engine.CodeInvalid, op, "end_ms must be at most 3 minutes after start_ms (got %d and %d).", in.StartMS, in.EndMS).
			WithHint("Use get_transcript for a longer range.")
	}
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*quoteOut, error) {
		rt, err := l.read(ctx, in.Recording)
		if err != nil {
			return nil, err
		}
		s := newSpoken(rt)
		var found []span
		if ranged {
			found = s.within(time.Duration(in.StartMS)*time.Millisecond, time.Duration(in.EndMS)*time.Millisecond)
		} else {
			found = s.find(wanted, in.Limit+1)
		}
		if len(found) == 0 {
			return nil, engine.Errorf(engine.CodeNotFound, op, "Nobody says that in the recording.").
				WithHint("Quote fewer words, use who_said to find words in any order, or get_transcript to read the recording.")
		}
		out := &quoteOut{ref: refer(rt.Recording), Quotes: []quote{}}
		for _, f := range found {
			if !ranged && len(out.Quotes) == in.Limit {
				out.More = "It is said more often. Set a higher limit, or quote more words."
				break
			}
			out.Quotes = append(out.Quotes, s.quotes(f)...)
		}
		if len(out.Quotes) > maxPassages {
			out.Quotes, out.More = out.Quotes[:maxPassages], "There are more quotes. Choose a shorter range."
		}
		return out, nil
	})
}

// letters returns what of a text is compared: letters and digits, in one case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if !transcript.IsWordRune(r) {
			return -1
		}
		return r
	}, transcript.Fold(text))
}

// spoken has the words of a transcript, and their letters as one text.
type spoken struct {
	rt      engine.RecordingTranscript
	words   []transcript.Word
	speaker []string // of each word
	text    string
	starts  []int // of each word in the text, and the end of the text
}

// span is a run of words: from first up to, not including, end.
type span struct{ first, end int }

func newSpoken(rt engine.RecordingTranscript) *spoken {
	s := &spoken{rt: rt}
	var b strings.Builder
	for _, u := range rt.Transcript.Utterances {
		for _, w := range u.Words {
			s.words, s.speaker, s.starts = append(s.words, w), append(s.speaker, u.Speaker), append(s.starts, b.Len())
			b.WriteString(letters(w.Text))
		}
	}
	s.text, s.starts = b.String(), append(s.starts, b.Len())
	return s
}

// find returns where letters are spoken as whole words, at most this many times. In languages without spaces, words are guesses: there the
// run has every word that the letters touch.
func (s *spoken) find(wanted string, most int) (found []span) {
	for from := 0; len(found) < most; {
		i := strings.Index(s.text[from:], wanted)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(wanted)
		run := span{s.wordAt(start), s.wordAt(end-1) + 1}
		if whole := s.starts[run.first] == start && s.starts[run.end] == end; whole || !s.rt.Transcript.Language.Spaced() {
			found = append(found, run)
			from = end
			continue
		}
		from = start + 1
	}
	return found
}

// wordAt returns the word that has the letter at an offset.
func (s *spoken) wordAt(offset int) int {
	return sort.Search(len(s.words), func(i int) bool { return s.starts[i+1] > offset })
}

// within returns the words that touch a range of time, as runs.
func (s *spoken) within(start, end time.Duration) (found []span) {
	for i, w := range s.words {
		if w.End <= start || w.Start >= end {
			continue
		}
		if n := len(found); n > 0 && found[n-1].end == i {
			found[n-1].end++
		} else {
			found = append(found, span{i, i + 1})
		}
	}
	return found
}

// quotes returns the words of a run, a quote for each turn of a speaker.
func (s *spoken) quotes(run span) (all []quote) {
	for first := run.first; first < run.end; {
		end := first + 1
		for end < run.end && s.speaker[end] == s.speaker[first] {
			end++
		}
		words := s.words[first:end]
		all = append(all, quote{passage: newPassage(s.rt, s.speaker[first], words[0].Start, words[len(words)-1].End, s.join(first, end))})
		first = end
	}
	all[0].Before = s.join(max(0, run.first-around), run.first)
	all[len(all)-1].After = s.join(run.end, min(len(s.words), run.end+around))
	return all
}

func (s *spoken) join(first, end int) string {
	return assistant.Shorten(transcript.OneLine(transcript.JoinWords(s.words[first:end], s.rt.Transcript.Language)), maxPage)
}
