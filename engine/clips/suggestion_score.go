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
	// MinClip and MaxClip limit the window of a suggested clip. A recording with less than MinClip of speech is one clip.
	MinClip = 15 * time.Second
	MaxClip = 90 * time.Second

	MaxClips     = 10
	MaxCarousels = 2
	leastSpeech  = 3 * time.Second // shortest clip
	// mostSentences limits the sentences of a clip, so that transcripts of very short sentences stay fast.
	mostSentences = 200
)

// Scores of a clip: clipBase plus the others, limited to 0 to 100.
const (
	clipBase         = 35
	clipDense        = 25 // it has more of the recording's own terms than average
	clipQuotable     = 12 // it has a short, strong sentence
	clipAnswers      = 8  // it begins with a question and answers it
	clipNumbers      = 5
	clipLength       = 8  // it is 20 to 60 seconds long
	clipTurnBegins   = 8  // it begins with a turn
	clipTurnEnds     = 7  // it ends with a turn
	clipLeans        = 12 // subtracted: its first word refers to what was said before
	clipQuestionLeft = 15 // subtracted: it ends with a question
	clipUnclosed     = 10 // subtracted: its last sentence is incomplete
	clipSilence      = 20 // subtracted: times the share of pauses beyond a tenth
)

// scored is a range of sentences, from up to to, with its score.
type scored struct {
	from, to int
	window   transcript.Window
	score    float64
}

func (c scored) length() time.Duration { return c.window.End - c.window.Start }

// scorer scores ranges of sentences of a transcript.
type scorer struct {
	language  transcript.Language
	sentences []transcript.Sentence
	density   []float64                // per sentence: mean weight of its terms; 1 is the recording's average
	terms     []int                    // per sentence
	quotable  []float64                // per sentence, 0 to 1
	numbers   []bool                   // per sentence
	leans     []bool                   // per sentence: refers to what was said before
	amid      func(time.Duration) bool // whether somebody is in the middle of a sentence
}

// Suggest suggests clips and carousels without a language model. The same transcript gives the same suggestions.
//
// A clip is a window of 15 to 90 seconds of whole sentences. Its score rises with the recording's own terms (frequent, but in few
// sentences), a short quotable sentence, a question with its answer, numbers, edges at turns, and a length of 20 to 60 seconds.
// It falls if the clip begins with a word that refers back, ends with a question or inside a sentence, or has long pauses. The
// best clip from each first sentence competes; the ten best that don't overlap are returned. Where speakers overlap, a clip neither begins
// nor ends in the middle of another speaker's sentence, unless every clip would.
//
// A carousel is three to six sentences of one speaker that each make a point. At most two are returned.
func Suggest(t transcript.Transcript) []Suggestion {
	s := newScorer(t)
	var out []Suggestion
	for _, c := range withoutOverlap(s.clips(t.Duration), MaxClips) {
		out = append(out, s.suggestion(KindClip, c))
	}
	for _, c := range withoutOverlap(s.carousels(), MaxCarousels) {
		c.window = transcript.Window{}
		out = append(out, s.suggestion(KindCarousel, c))
	}
	return out
}

func newScorer(t transcript.Transcript) *scorer {
	s := &scorer{language: t.Language, sentences: transcript.Sentences(t)}
	s.amid = transcript.MidSentence(s.sentences)
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
		s.leans = append(s.leans, beginsWith(s.sentences[i].Text, dependent[s.language], s.language))
		s.numbers = append(s.numbers, slices.ContainsFunc([]rune(s.sentences[i].Text), unicode.IsDigit))
	}
	mean := total / float64(max(1, count))
	for i := range s.density {
		s.density[i] /= max(mean, 1e-9)
		s.quotable = append(s.quotable, s.quotability(i))
	}
	return s
}

// quotability scores how well a sentence can be quoted alone: complete, 8 to 30 tokens long, no question, dense, without
// reference to an earlier sentence.
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

// clips returns the best clip that begins with each sentence. Those that cut into a sentence are returned only if there are no others.
func (s *scorer) clips(media time.Duration) (clips []scored) {
	if all := s.stretch(0, len(s.sentences)); len(s.sentences) > 0 && all.length() < MinClip {
		if all.length() >= leastSpeech && all.score >= 0 {
			clips = append(clips, all)
		}
		return clips
	}
	for _, cutting := range []bool{false, true} {
		for from := range s.sentences {
			if best := s.best(from, media, cutting); best.score >= 0 {
				clips = append(clips, best)
			}
		}
		if len(clips) > 0 {
			break
		}
	}
	return clips
}

// best returns the best clip that begins with a sentence, with a negative score if there is none. cutting is whether its edges may be in the
// middle of other sentences.
func (s *scorer) best(from int, media time.Duration, cutting bool) scored {
	best := scored{score: -1}
	t := s.begin(from)
	if !cutting && s.amid(t.window.Start) {
		return best
	}
	for to := from + 1; to <= min(len(s.sentences), from+mostSentences); to++ {
		t.add(s, to-1)
		if t.length() > MaxClip || media > 0 && t.window.End > media {
			break
		}
		if t.length() >= MinClip && (cutting || !s.amid(t.window.End)) {
			if t.rate(s); t.score > best.score {
				best = t.scored
			}
		}
	}
	return best
}

// stretch scores the sentences from up to to.
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

// tally is a range that grows by sentences.
type tally struct {
	scored
	spoken   time.Duration
	dense    float64 // sum of density times terms
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

// rate sets the score of the range as a clip. It is negative when more than half is silence.
func (t *tally) rate(s *scorer) {
	length := t.length().Seconds()
	silence := 1 - t.spoken.Seconds()/max(length, 0.001)
	if silence > 0.5 {
		t.score = -1
		return
	}
	t.score = clipBase + clipDense*scale(t.dense/float64(max(1, t.terms)), 0.7, 1.3) + clipQuotable*t.quotable + s.edges(t.from, t.to)
	t.score += clipLength*min(scale(length, 10, 20), scale(-length, -100, -60)) - clipSilence*scale(silence, 0.1, 1)
	if t.numbers {
		t.score += clipNumbers
	}
	t.score = min(max(t.score, 0), 100)
}

// edges returns the score of a clip's beginning and end.
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

// scale returns the position of v between low and high, 0 to 1.
func scale(v, low, high float64) float64 { return min(max((v-low)/(high-low), 0), 1) }

// withoutOverlap returns at most n ranges that don't overlap, best first.
func withoutOverlap(all []scored, n int) (chosen []scored) {
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
