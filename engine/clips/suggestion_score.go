package clips

import (
	"cmp"
	"math"
	"slices"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	// MinClip and MaxClip bound the window of a suggested clip. A recording in which less than MinClip is said is one clip.
	MinClip = 15 * time.Second
	MaxClip = 90 * time.Second

	MaxClips     = 10
	MaxCarousels = 2
	leastSpeech  = 3 * time.Second // less than that is no clip
	// mostSentences of a clip keep the work small where a transcript has sentences of milliseconds.
	mostSentences = 200
)

// What a clip is worth: clipBase and what is added and taken away, 0 to 100 in the end.
const (
	clipBase         = 35
	clipDense        = 25 // it has more of the recording's own words than the recording has on average
	clipQuotable     = 12 // it has a short strong sentence
	clipAnswers      = 8  // it begins with a question that is answered in it
	clipNumbers      = 5
	clipLength       = 8  // it is 20 to 60 seconds long
	clipTurnBegins   = 8  // it begins where somebody begins to speak …
	clipTurnEnds     = 7  // … and ends where somebody ends
	clipLeans        = 12 // taken away: its first word leans on what was said before
	clipQuestionLeft = 15 // taken away: it ends with a question
	clipUnclosed     = 10 // taken away: its last sentence breaks off
	clipSilence      = 20 // taken away: as much of it as is pauses, beyond a tenth
)

// scored is a stretch of sentences, up to to, and what it is worth.
type scored struct {
	from, to int
	window   transcript.Window
	score    float64
}

func (c scored) length() time.Duration { return c.window.End - c.window.Start }

// scorer rates stretches of a transcript.
type scorer struct {
	language  transcript.Language
	sentences []transcript.Sentence
	density   []float64 // for each sentence: the mean weight of its terms, 1 for the recording's average
	terms     []int     // for each sentence
	quotable  []float64 // for each sentence, 0 to 1
	numbers   []bool    // for each sentence
	leans     []bool    // for each sentence: on what was said before
}

// Suggest finds clips and carousels without a model. A clip is a window of 15 to 90 seconds of whole sentences. It is
// worth more the more it has of the recording's own terms (those that come often, but in few sentences), when it has a short
// sentence that can be quoted, begins with a question and goes on to the answer, names numbers, begins and ends where somebody
// begins and ends to speak, and is 20 to 60 seconds long; and less when it begins with a word that leans on what was before,
// ends with a question or in the middle of a sentence, or has long pauses. Of those that begin with the same sentence the
// best is taken, then the best of all that don't overlap, ten at most. A carousel is three to six sentences of one speaker that
// make a point each, two at most. The same transcript gives the same suggestions.
func Suggest(t transcript.Transcript) []Suggestion {
	s := newScorer(t)
	var out []Suggestion
	for _, c := range apart(s.clips(t.Duration), MaxClips) {
		out = append(out, s.suggestion(KindClip, c))
	}
	for _, c := range apart(s.carousels(), MaxCarousels) {
		c.window = transcript.Window{}
		out = append(out, s.suggestion(KindCarousel, c))
	}
	return out
}

func newScorer(t transcript.Transcript) *scorer {
	s := &scorer{language: t.Language, sentences: transcript.Sentences(t)}
	often, within := map[string]int{}, map[string]int{} // occurrences; sentences that have it
	all := make([][]string, len(s.sentences))
	for i, x := range s.sentences {
		all[i] = search.Terms(x.Text)
		for _, term := range all[i] {
			often[term]++
		}
		for _, term := range slices.Compact(slices.Sorted(slices.Values(all[i]))) {
			within[term]++
		}
	}
	total, count := 0.0, 0
	for i, terms := range all {
		sum := 0.0
		for _, term := range terms {
			sum += math.Log1p(float64(often[term])) * math.Log(float64(len(all)+1)/float64(within[term]))
		}
		total, count = total+sum, count+len(terms)
		s.density, s.terms = append(s.density, sum/float64(max(1, len(terms)))), append(s.terms, len(terms))
		s.leans = append(s.leans, beginsWith(s.sentences[i].Text, leaning[s.language], s.language))
		s.numbers = append(s.numbers, slices.ContainsFunc([]rune(s.sentences[i].Text), unicode.IsDigit))
	}
	mean := total / float64(max(1, count))
	for i := range s.density {
		s.density[i] /= max(mean, 1e-9)
		s.quotable = append(s.quotable, s.quotability(i))
	}
	return s
}

// quotability says how well a sentence stands alone: closed, 8 to 30 tokens long, no question, dense, not leaning on another.
func (s *scorer) quotability(i int) float64 {
	x := s.sentences[i]
	q := min(1, s.density[i]/1.5)
	if n := transcript.EstimateTokens(x.Text); n < 8 || n > 30 || !x.Closed || x.Question {
		q *= 0.3
	}
	if s.leans[i] {
		q *= 0.6
	}
	return q
}

// clips returns the best clip from each sentence on.
func (s *scorer) clips(media time.Duration) (clips []scored) {
	if all := s.stretch(0, len(s.sentences)); len(s.sentences) > 0 && all.length() < MinClip {
		if all.length() >= leastSpeech && all.score >= 0 {
			clips = append(clips, all)
		}
		return clips
	}
	for from := range s.sentences {
		best := scored{score: -1}
		t := s.begin(from)
		for to := from + 1; to <= min(len(s.sentences), from+mostSentences); to++ {
			t.add(s, to-1)
			if t.length() > MaxClip || media > 0 && t.window.End > media {
				break
			}
			if t.length() >= MinClip {
				if t.rate(s); t.score > best.score {
					best = t.scored
				}
			}
		}
		if best.score >= 0 {
			clips = append(clips, best)
		}
	}
	return clips
}

// stretch rates the sentences from up to to.
func (s *scorer) stretch(from, to int) scored {
	if from >= to {
		return scored{}
	}
	t := s.begin(from)
	for i := from; i < to; i++ {
		t.add(s, i)
	}
	t.rate(s)
	return t.scored
}

// tally is a stretch that grows by sentences.
type tally struct {
	scored
	spoken   time.Duration
	dense    float64 // density times terms
	terms    int
	quotable float64 // of the best sentence
	numbers  bool
}

func (s *scorer) begin(from int) tally {
	return tally{scored: scored{from: from, to: from, window: transcript.Window{Start: s.sentences[from].Start}}}
}

func (t *tally) add(s *scorer, i int) {
	x := s.sentences[i]
	t.spoken += x.End - max(x.Start, min(t.window.End, x.End))
	t.window.End, t.to = max(t.window.End, x.End), i+1
	t.dense += s.density[i] * float64(s.terms[i])
	t.terms += s.terms[i]
	t.quotable = max(t.quotable, s.quotable[i])
	t.numbers = t.numbers || s.numbers[i]
}

// rate sets the score of the stretch as a clip; it is negative when more than half of it is silence.
func (t *tally) rate(s *scorer) {
	length := t.length().Seconds()
	silence := 1 - t.spoken.Seconds()/max(length, 0.001)
	if silence > 0.5 {
		t.score = -1
		return
	}
	t.score = clipBase + clipDense*share(t.dense/float64(max(1, t.terms)), 0.7, 1.3) + clipQuotable*t.quotable + s.edges(t.from, t.to)
	t.score += clipLength*min(share(length, 10, 20), share(-length, -100, -60)) - clipSilence*share(silence, 0.1, 1)
	if t.numbers {
		t.score += clipNumbers
	}
	t.score = min(max(t.score, 0), 100)
}

// edges is what a clip's beginning and end are worth.
func (s *scorer) edges(from, to int) (score float64) {
	first, last := s.sentences[from], s.sentences[to-1]
	if first.Question && to-from > 1 && s.sentences[from+1].Speaker != first.Speaker {
		score += clipAnswers
	}
	if first.Opens {
		score += clipTurnBegins
	}
	if last.Closes && last.Closed {
		score += clipTurnEnds
	}
	if s.leans[from] {
		score -= clipLeans
	}
	if last.Question {
		score -= clipQuestionLeft
	}
	if !last.Closed {
		score -= clipUnclosed
	}
	return score
}

// share is where v lies between low and high, 0 to 1.
func share(v, low, high float64) float64 { return min(max((v-low)/(high-low), 0), 1) }

// apart returns the best of those that don't overlap, the best first, at most n.
func apart(all []scored, n int) (chosen []scored) {
	slices.SortStableFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from))
	})
	for _, c := range all {
		if len(chosen) == n {
			break
		}
		if !slices.ContainsFunc(chosen, func(o scored) bool { return o.window.Overlaps(c.window) }) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}
