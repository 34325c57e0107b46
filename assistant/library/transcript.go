package library

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	maxPassages = 200    // of a page
	maxPage     = 20_000 // bytes of text of a page: 3 hours of speech are about 8 pages
	maxLine     = 4_000  // bytes of a passage; a longer utterance is several
)

type transcriptIn struct {
	Recording recordingName `json:"recording" jsonschema:"id or number of the recording"`
	FromMS    int64         `json:"from_ms,omitempty" jsonschema:"start of the range; default the start of the recording"`
	ToMS      int64         `json:"to_ms,omitempty" jsonschema:"end of the range; default the end of the recording"`
	Speaker   string        `json:"speaker,omitempty" jsonschema:"name or label of a speaker, to read only what they say"`
	Limit     int           `json:"limit,omitempty" jsonschema:"most passages to return"`
	Cursor    string        `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

type transcriptOut struct {
	assistant.Untrusted
	Recording  recording `json:"recording"`
	Passages   []passage `json:"passages"`
	NextCursor string    `json:"next_cursor,omitempty"`
	More       string    `json:"more,omitempty" jsonschema:"how to get the rest"`
}

// passage is an utterance, or a part of it.
type passage struct {
	Label   string `json:"label" jsonschema:"of the speaker, such as Speaker 0"`
	Speaker string `json:"speaker" jsonschema:"name of the speaker, or else the label"`
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
	At      string `json:"at" jsonschema:"start_ms as h:mm:ss"`
	Text    string `json:"text"`
}

func newPassage(rt engine.RecordingTranscript, label string, start, end time.Duration, text string) passage {
	return passage{
		Label: label, Speaker: cmp.Or(rt.Names[label], label), StartMS: start.Milliseconds(), EndMS: end.Milliseconds(), At: clock(start),
		Text: transcript.OneLine(text),
	}
}

func describePassage(rt engine.RecordingTranscript, i int) passage {
	u := rt.Transcript.Utterances[i]
	return newPassage(rt, u.Speaker, u.Start, u.End, u.Text)
}

func (t *tools) transcript(ctx context.Context, _ assistant.Call, in transcriptIn) (*transcriptOut, error) {
	if in.ToMS != 0 && in.ToMS <= in.FromMS {
		return nil, engine.Errorf(engine.CodeInvalid, "library", "from_ms must be less than to_ms (got %d and %d).", in.FromMS, in.ToMS)
	}
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*transcriptOut, error) {
		rt, err := l.read(ctx, in.Recording)
		if err != nil {
			return nil, err
		}
		if in.Speaker != "" && !slices.ContainsFunc(rt.Transcript.Labels(), func(label string) bool { return isSpeaker(rt, label, in.Speaker) }) {
			return nil, engine.Errorf(engine.CodeNotFound, "library", "The recording has no speaker %.100q.", in.Speaker).WithHint("Call speakers for their names and labels.")
		}
		return readPage(rt, in)
	})
}

// place is a position in a transcript: a word of an utterance. Its text is the cursor.
type place struct{ utterance, word int }

func (p place) String() string { return fmt.Sprintf("%d.%d", p.utterance, p.word) }

func parsePlace(text string) (p place, err error) {
	if text == "" {
		return place{}, nil
	}
	first, second, ok := strings.Cut(text, ".")
	u, err1 := strconv.ParseUint(first, 10, 31)
	w, err2 := strconv.ParseUint(second, 10, 31)
	if !ok || err1 != nil || err2 != nil {
		return place{}, wrongCursor(text)
	}
	return place{int(u), int(w)}, nil
}

func wrongCursor(text string) error {
	return engine.Errorf(engine.CodeInvalid, "library", "%.40q is not a cursor.", text).WithHint("Pass next_cursor of the page before, unchanged.")
}

// readPage returns the passages from a cursor on, until a limit is reached.
func readPage(rt engine.RecordingTranscript, in transcriptIn) (*transcriptOut, error) {
	at, err := parsePlace(in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &transcriptOut{Recording: describe(rt.Recording), Passages: []passage{}}
	r := pageReader{rt: rt, in: in, from: time.Duration(in.FromMS) * time.Millisecond, to: math.MaxInt64, out: out}
	if in.ToMS > 0 {
		r.to = time.Duration(in.ToMS) * time.Millisecond
	}
	for i := at.utterance; i < len(rt.Transcript.Utterances); i++ {
		if next, full := r.read(i, at.word); full {
			out.NextCursor = next.String()
			out.More = fmt.Sprintf("The page ends at %s of %s. Call get_transcript again with next_cursor as cursor and the other arguments unchanged, or set from_ms and to_ms.",
				clock(r.last), clock(min(r.to, rt.Recording.Duration)))
			break
		}
		at.word = 0
	}
	return out, nil
}

// pageReader fills a page.
type pageReader struct {
	rt       engine.RecordingTranscript
	in       transcriptIn
	from, to time.Duration
	out      *transcriptOut
	bytes    int
	last     time.Duration // end of the last passage
}

// read adds the passages of an utterance, from a word on. full reports whether the page is full; then next is where the following page
// begins.
func (r *pageReader) read(i, word int) (next place, full bool) {
	u := r.rt.Transcript.Utterances[i]
	if u.End <= r.from || u.Start >= r.to || r.in.Speaker != "" && !isSpeaker(r.rt, u.Speaker, r.in.Speaker) {
		return next, false
	}
	if len(u.Words) == 0 {
		return place{i, word}, !r.add(newPassage(r.rt, u.Speaker, u.Start, u.End, assistant.Shorten(u.Text, maxLine)))
	}
	for first := word; first < len(u.Words); {
		if w := u.Words[first]; w.End <= r.from || w.Start >= r.to {
			first++
			continue
		}
		end, size := first, 0
		for end < len(u.Words) && u.Words[end].Start < r.to && (end == first || size+len(u.Words[end].Text) < maxLine) {
			size += len(u.Words[end].Text) + 1
			end++
		}
		text := u.Text
		if first > 0 || end < len(u.Words) {
			text = transcript.JoinWords(u.Words[first:end], r.rt.Transcript.Language)
		}
		if !r.add(newPassage(r.rt, u.Speaker, u.Words[first].Start, u.Words[end-1].End, assistant.Shorten(text, 2*maxLine))) {
			return place{i, first}, true
		}
		first = end
	}
	return next, false
}

// add adds a passage unless the page is full. A page has at least one.
func (r *pageReader) add(p passage) bool {
	if n := len(r.out.Passages); n > 0 && (n >= r.in.Limit || r.bytes+len(p.Text) > maxPage) {
		return false
	}
	r.out.Passages = append(r.out.Passages, p)
	r.bytes, r.last = r.bytes+len(p.Text), time.Duration(p.EndMS)*time.Millisecond
	return true
}

type speakersOut struct {
	assistant.Untrusted
	ref
	Speakers []speaker `json:"speakers"`
	More     string    `json:"more,omitempty"`
}

type speaker struct {
	Label    string  `json:"label"`
	Name     string  `json:"name,omitempty"`
	SpeaksMS int64   `json:"speaks_ms" jsonschema:"how long they speak"`
	Share    float64 `json:"share" jsonschema:"of all speech, 0 to 1"`
	Passages int     `json:"passages" jsonschema:"how often they speak"`
	Words    int     `json:"words"`
	FirstMS  int64   `json:"first_ms" jsonschema:"when they first speak"`
}

const maxSpeakers = 100

func (t *tools) speakers(ctx context.Context, _ assistant.Call, in recordingIn) (*speakersOut, error) {
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*speakersOut, error) {
		rt, err := l.read(ctx, in.Recording)
		if err != nil {
			return nil, err
		}
		out := &speakersOut{ref: refer(rt.Recording), Speakers: []speaker{}}
		var all int64
		for _, label := range rt.Transcript.Labels() {
			s := speaker{Label: label, Name: rt.Names[label]}
			for _, u := range rt.Transcript.Utterances {
				if u.Speaker != label {
					continue
				}
				if s.Passages == 0 {
					s.FirstMS = u.Start.Milliseconds()
				}
				s.Passages, s.Words, s.SpeaksMS = s.Passages+1, s.Words+len(u.Words), s.SpeaksMS+(u.End-u.Start).Milliseconds()
			}
			out.Speakers, all = append(out.Speakers, s), all+s.SpeaksMS
		}
		for i := range out.Speakers {
			out.Speakers[i].Share = math.Round(100*float64(out.Speakers[i].SpeaksMS)/float64(max(all, 1))) / 100
		}
		if len(out.Speakers) > maxSpeakers {
			out.More = fmt.Sprintf("The recording has %d speakers; the first %d are listed.", len(out.Speakers), maxSpeakers)
			out.Speakers = out.Speakers[:maxSpeakers]
		}
		return out, nil
	})
}
