package clips

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// mostSuggested limits how many of a model's suggestions are checked. It exceeds the number requested.
const mostSuggested = 200

// Check corrects a model's suggestions and returns the valid ones, best first. A clip's window is moved to whole sentences of 15 to 90
// seconds inside the transcript, and away from the middle of other sentences if it can. It overlaps no better clip, and its excerpt becomes the text of the window. Titles become one line;
// scores are limited to 0 to 100. A carousel's excerpt must occur in the transcript. Suggestions that can't be corrected are dropped.
func Check(t transcript.Transcript, suggested []Suggestion) []Suggestion {
	s := newScorer(t)
	everything := withoutSpace(transcript.TextOf(s.sentences, t.Language))
	suggested = slices.Clone(suggested[:min(len(suggested), mostSuggested)])
	slices.SortStableFunc(suggested, func(a, b Suggestion) int { return cmp.Compare(b.Score, a.Score) })
	var clips, carousels []Suggestion
	for _, x := range suggested {
		x.Kind, x.Score, x.Title = cmp.Or(x.Kind, KindClip), min(max(x.Score, 0), 100), cutTitle(x.Title)
		switch x.Kind {
		case KindClip:
			if x, ok := s.checkClip(t, x, clips); ok && len(clips) < MaxClips {
				clips = append(clips, x)
			}
		case KindCarousel:
			x.Window, x.Excerpt = transcript.Window{}, strings.TrimSpace(x.Excerpt)
			if said := withoutSpace(x.Excerpt); said != "" && strings.Contains(everything, said) && len(carousels) < MaxCarousels {
				x.Title = cmp.Or(x.Title, cutTitle(x.Excerpt))
				carousels = append(carousels, x)
			}
		}
	}
	all := append(clips, carousels...)
	slices.SortStableFunc(all, func(a, b Suggestion) int { return cmp.Compare(b.Score, a.Score) })
	return all
}

// checkClip is Check for one clip, which must not overlap the better ones.
func (s *scorer) checkClip(t transcript.Transcript, x Suggestion, better []Suggestion) (Suggestion, bool) {
	if x.Window.Start < 0 || x.Window.End <= x.Window.Start || t.Duration > 0 && x.Window.End > t.Duration+time.Second {
		return x, false
	}
	from, to, ok := s.snap(x.Window)
	if !ok {
		return x, false
	}
	from, to = s.uncut(from, to)
	c := s.stretch(from, to)
	if slices.ContainsFunc(better, func(o Suggestion) bool { return o.Window.Overlaps(c.window) }) {
		return x, false
	}
	x.Window = c.window
	said := transcript.TextOf(s.sentences[from:to], s.language)
	if quoted := withoutSpace(x.Excerpt); quoted == "" || !strings.Contains(withoutSpace(said), quoted) {
		x.Excerpt = said
	}
	x.Title = cmp.Or(x.Title, s.title(from, to))
	return x, true
}

// snap returns the sentences that a window touches. It drops sentences at the end while they exceed MaxClip. It adds sentences at the
// end, then at the beginning, until they reach MinClip. ok is false when that is impossible.
func (s *scorer) snap(w transcript.Window) (from, to int, ok bool) {
	from = slices.IndexFunc(s.sentences, func(x transcript.Sentence) bool { return x.End > w.Start && x.Start < w.End })
	if from < 0 {
		return 0, 0, false
	}
	to = from + 1
	for to < len(s.sentences) && s.sentences[to].Start < w.End {
		to++
	}
	for to > from+1 && s.length(from, to) > MaxClip {
		to--
	}
	for to < len(s.sentences) && s.length(from, to) < MinClip && s.length(from, to+1) <= MaxClip {
		to++
	}
	for from > 0 && s.length(from, to) < MinClip && s.length(from-1, to) <= MaxClip {
		from--
	}
	length := s.length(from, to)
	return from, to, length <= MaxClip && (length >= MinClip || to-from == len(s.sentences))
}

// uncut returns sentences that begin and end where nobody is in the middle of another one: with those that the given ones cut into, or else
// without them. If neither is 15 to 90 seconds long, it returns the given ones.
func (s *scorer) uncut(from, to int) (int, int) {
	more, less := stretched{from, to}, stretched{from, to}
	for range mostSentences {
		switch {
		case more.from > 0 && s.amid(s.window(more).Start):
			more.from--
		case more.to < len(s.sentences) && s.amid(s.window(more).End):
			more.to++
		}
		switch {
		case less.from+1 < less.to && s.amid(s.window(less).Start):
			less.from++
		case less.from+1 < less.to && s.amid(s.window(less).End):
			less.to--
		}
	}
	for _, r := range []stretched{more, less} {
		w := s.window(r)
		if length := w.End - w.Start; length >= MinClip && length <= MaxClip && !s.amid(w.Start) && !s.amid(w.End) {
			return r.from, r.to
		}
	}
	return from, to
}

// stretched is the sentences from up to to.
type stretched struct{ from, to int }

// window returns when sentences are spoken.
func (s *scorer) window(r stretched) transcript.Window {
	start := s.sentences[r.from].Start
	return transcript.Window{Start: start, End: start + s.length(r.from, r.to)}
}

// length returns the duration of the sentences from up to to.
func (s *scorer) length(from, to int) time.Duration {
	end := time.Duration(0)
	for _, x := range s.sentences[from:to] {
		end = max(end, x.End)
	}
	return end - s.sentences[from].Start
}

// withoutSpace removes white space, to compare texts without it.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }
