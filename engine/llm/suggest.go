package llm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// maxWindows limits the requests of one call of Suggest. In a longer recording, evenly spaced windows are read.
const maxWindows = 12

// Suggest asks for suggestions, window by window if the transcript exceeds the context. The model refers to lines by
// number, and times come from those lines. A window whose answer can't be parsed is skipped if another one's can.
func (m *Model) Suggest(ctx context.Context, t engine.Transcript, most int) ([]clips.Suggestion, error) {
	if err := checkCanceled(ctx, "Suggest"); err != nil {
		return nil, err
	}
	if len(t.Utterances) == 0 || most <= 0 {
		return nil, nil
	}
	t.ContextPrompt = m.limitContext(t.ContextPrompt)
	windows := m.windows(t.Utterances)
	each := min(most, max(3, most*2/len(windows)))
	var found []clips.Suggestion
	readable := false
	for _, w := range windows {
		a, err := m.ask(ctx, suggestRequest(t, w, each), m.answer)
		if err != nil {
			return nil, err
		}
		list, ok := items[suggestion](a.Text)
		readable = readable || ok
		for _, s := range list {
			if s, ok := s.of(t, w); ok {
				found = append(found, s)
			}
		}
	}
	if !readable {
		return nil, m.unreadable()
	}
	slices.SortStableFunc(found, func(a, b clips.Suggestion) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(len(found), most)], nil
}

// window is the range of utterances [from, to).
type window struct{ from, to int }

// windows divides a transcript into windows of half the context.
func (m *Model) windows(said []transcript.Utterance) (all []window) {
	tokens := 0
	w := window{}
	for i, u := range said {
		n := transcript.EstimateTokens(u.Text) + transcript.EstimateTokens(u.Speaker) + 6
		if i > w.from && tokens+n > m.context/2 {
			w.to = i
			all, w, tokens = append(all, w), window{from: i}, 0
		}
		tokens += n
	}
	w.to = len(said)
	all = append(all, w)
	if len(all) <= maxWindows {
		return all
	}
	apart := make([]window, maxWindows)
	for i := range apart {
		apart[i] = all[i*(len(all)-1)/(maxWindows-1)]
	}
	return apart
}

const suggestRules = `- Answer with one JSON object and nothing else, of exactly this shape:
{"suggestions":[{"kind":"clip","first":12,"last":15,"title":"…","excerpt":"…","score":80}]}
- Lines are numbered @1, @2 and so on. "first" and "last" are the numbers of the first and the last line of the suggestion. Never write a time.
`

// suggestRequest returns the request for the suggestions of a window.
func suggestRequest(t engine.Transcript, w window, most int) Request {
	var said strings.Builder
	for i, u := range t.Utterances[w.from:w.to] {
		fmt.Fprintf(&said, "@%d (%d s) %s: %s\n", w.from+i+1, int((u.End-u.Start).Seconds()+0.5), line(u.Speaker), line(u.Text))
	}
	f := newFence("suggest", strconv.Itoa(most), t.ContextPrompt, said.String())
	var parts strings.Builder
	f.part(&parts, "context", t.ContextPrompt)
	f.part(&parts, "transcript", said.String())
	language := languageOf(engine.WriteRequest{Language: t.Language})
	return Request{System: f.rules() + suggestRules + fmt.Sprintf(`
Find at most %d parts of the part "transcript" that would make good short videos, the best first; fewer where fewer are good. The seconds in parentheses are how long each line takes.
A part of the kind "clip" is one to several lines in a row that take 15 to 90 seconds together, begin and end with a thought, can be understood without the rest and make one curious; parts of this kind don't overlap. At most two may be of the kind "carousel": three to six sentences of one speaker in a row that make a point each, to be read as pictures.
"title" is a headline of at most eight words, in %s. "excerpt" is the strongest sentence of a clip, or all sentences of a carousel, copied word for word from the lines. "score" says how good the part is, from 0 to 100.`, most, languageName(language)), User: parts.String(), JSON: true}
}

// suggestion is a suggestion in a model's JSON.
type suggestion struct {
	Kind    string `json:"kind"`
	First   number `json:"first"`
	Last    number `json:"last"`
	Title   string `json:"title"`
	Excerpt string `json:"excerpt"`
	Score   number `json:"score"`
}

// of converts a suggestion. ok is false if it refers to lines outside the window.
func (s suggestion) of(t engine.Transcript, w window) (clips.Suggestion, bool) {
	first, last := int(s.First), int(cmp.Or(s.Last, s.First))
	if first > last {
		first, last = last, first
	}
	if first <= w.from || last > w.to {
		return clips.Suggestion{}, false
	}
	said := t.Utterances[first-1 : last]
	made := clips.Suggestion{
		Kind:  clips.Kind(strings.ToLower(cmp.Or(strings.TrimSpace(s.Kind), string(clips.KindClip)))),
		Title: line(s.Title), Excerpt: line(s.Excerpt), Score: int(min(max(s.Score, 0), 100)),
		Window: transcript.Window{Start: said[0].Start},
	}
	for _, u := range said {
		made.Window.End = max(made.Window.End, u.End)
	}
	return made, true
}
