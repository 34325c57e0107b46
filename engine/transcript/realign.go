package transcript

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Change is a run of words that an edit replaced: Old was spoken from Start to End, and New is what was said instead. Neither is "",
// unless words were only removed: then New is. Where words were only inserted, both begin or end with a word beside them.
type Change struct {
	Start, End time.Duration
	Old, New   string
}

// Realign returns the utterance with another text, and what changed, in order. text is as OneLine returns it, and not "".
//
// Words that the text still has keep their times and confidence. Changed words have the times of the words that they replace, one by one
// if there are equally many, else in proportion to their length. Inserted words share the gap to the next word, or the end of the word
// before them where the gap is too short; before the first word, its start. Times that were not a word's own are Estimated. The
// confidence of new words is 1, because a person wrote them. Starts never fall from word to word, and each word lasts at least 1 ms.
func Realign(u Utterance, text string, language Language) (Utterance, []Change) {
	if len(u.Words) == 0 {
		changed := Change{u.Start, u.End, u.Text, text}
		r := realigning{old: u, language: language}
		u.Text = text
		return withWords(u, r.guess(text, Window{u.Start, u.End})), []Change{changed}
	}
	spans, ok := wordSpans(u)
	if !ok {
		u.Text = JoinWords(u.Words, language)
		spans, ok = wordSpans(u)
	}
	r := realigning{old: u, spans: spans, text: text, language: language}
	if ok {
		r.kept = r.keep()
	}
	for _, k := range r.kept {
		r.replace(k)
		r.put(u.Words[k.from:k.to]...)
		r.word, r.at, r.last = k.to, k.end, k
	}
	r.replace(kept{from: len(u.Words), to: len(u.Words), start: len(text), end: len(text)})
	u.Text = text
	return withWords(u, inOrder(r.words)), r.changes
}

// withWords returns an utterance with other words, and the times and confidence that follow from them.
func withWords(u Utterance, words []Word) Utterance {
	u.Words, u.Start, u.End = words, words[0].Start, words[0].End
	for _, w := range words {
		u.End = max(u.End, w.End)
	}
	u.Confidence = meanConfidence(words)
	return u
}

// meanConfidence returns the mean confidence of words, with three decimals.
func meanConfidence(words []Word) float64 {
	var sum float64
	for _, w := range words {
		sum += w.Confidence
	}
	return float64(int(sum/float64(len(words))*1000+0.5)) / 1000
}

// inOrder lowers starts that are after the next word's.
func inOrder(words []Word) []Word {
	for i := len(words) - 2; i >= 0; i-- {
		words[i].Start = min(words[i].Start, words[i+1].Start)
	}
	return words
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// wordSpans returns where an utterance's text has its words. ok is false if the text isn't those words.
func wordSpans(u Utterance) (spans []span, ok bool) {
	rest := u.Text
	for _, w := range u.Words {
		before := rest
		if _, rest, ok = CutWord(before, w.Text); !ok || w.Text == "" {
			return nil, false
		}
		word := strings.TrimLeft(before, " ")
		if first, _, _ := strings.Cut(w.Text, " "); !strings.HasPrefix(word, first) {
			word = strings.TrimLeft(before, " "+noBreakSpaces)
		}
		start := len(u.Text) - len(word)
		spans = append(spans, span{start, max(start, len(u.Text)-len(rest))})
	}
	return spans, strings.TrimLeft(rest, " ") == ""
}

// realigning is the state of one Realign.
type realigning struct {
	old      Utterance
	spans    []span // of the old words in the old text
	text     string // the new one
	language Language
	kept     []kept

	words   []Word
	changes []Change
	word    int  // of the old words, the first that is not done
	at      int  // of the new text, the first byte that is not done
	last    kept // the words before word, if they are kept
}

// kept are old words that the new text has, too.
type kept struct {
	from, to   int // of the old words
	start, end int // of the new text
}

func (r *realigning) put(words ...Word) { r.words = append(r.words, words...) }

// keep finds the kept words.
func (r *realigning) keep() []kept {
	if r.language.Spaced() {
		return r.keepFields()
	}
	return r.keepRunes()
}

// keepFields compares what is between spaces, in which there may be several words.
func (r *realigning) keepFields() (all []kept) {
	var old, now []string
	var words []span // of old
	for i, s := range r.spans {
		if i > 0 && !strings.Contains(r.old.Text[r.spans[i-1].end:s.start], " ") {
			last := len(words) - 1
			words[last].end = i + 1
			old[last] = r.old.Text[r.spans[words[last].start].start:s.end]
			continue
		}
		words, old = append(words, span{i, i + 1}), append(old, r.old.Text[s.start:s.end])
	}
	fields := fieldsOf(r.text)
	for _, f := range fields {
		now = append(now, r.text[f.start:f.end])
	}
	for _, p := range common(old, now) {
		w, f := words[p.Old], fields[p.New]
		all = append(all, kept{w.start, w.end, f.start, f.end})
	}
	return all
}

// fieldsOf returns the parts of a text between spaces.
func fieldsOf(text string) (fields []span) {
	start := 0
	for part := range strings.SplitSeq(text, " ") {
		if part != "" {
			fields = append(fields, span{start, start + len(part)})
		}
		start += len(part) + 1
	}
	return fields
}

// keepRunes compares characters. A word is kept if all of its characters are, side by side.
func (r *realigning) keepRunes() (all []kept) {
	var old, now []rune
	var offsets []int // of now
	first := make([]int, len(r.spans)+1)
	for i, s := range r.spans {
		first[i] = len(old)
		old = append(old, []rune(r.old.Text[s.start:s.end])...)
	}
	first[len(r.spans)] = len(old)
	for i, c := range r.text {
		if c != ' ' {
			now, offsets = append(now, c), append(offsets, i)
		}
	}
	offsets = append(offsets, len(r.text))
	found := make([]int, len(old))
	for i := range found {
		found[i] = -1
	}
	for _, p := range common(old, now) {
		found[p.Old] = p.New
	}
	for i := range r.spans {
		from, to := first[i], first[i+1]
		if from == to || found[from] < 0 {
			continue
		}
		start, end := offsets[found[from]], offsets[found[from]]
		for k := from; k < to && found[k] == found[from]+k-from; k++ {
			end = offsets[found[k]] + utf8.RuneLen(old[k])
		}
		if r.text[start:end] == string(old[from:to]) {
			all = append(all, kept{i, i + 1, start, end})
		}
	}
	return all
}

// replace puts the new words up to the next kept ones.
func (r *realigning) replace(next kept) {
	text, old := r.text[r.at:next.start], r.old.Words[r.word:next.from]
	if len(old) == 0 && strings.Trim(text, " ") == "" {
		return
	}
	r.record(next)
	if len(old) == 0 && !r.language.Spaced() {
		text = r.joinMarks(text)
	}
	now := splitWords(text, r.language)
	switch {
	case len(now) == 0:
	case len(old) == len(now):
		for i, w := range old {
			w.Text, w.Confidence = now[i], 1
			r.put(w)
		}
	case len(old) > 0:
		r.put(r.guess(text, Window{old[0].Start, latest(old)})...)
	default:
		r.put(r.guess(text, r.room(now, next))...)
	}
}

// joinMarks moves marks that follow a word without a space into that word, and returns the rest of the text.
func (r *realigning) joinMarks(text string) string {
	if len(r.words) == 0 {
		return text
	}
	rest := strings.TrimLeftFunc(text, func(c rune) bool { return c != ' ' && !IsWordRune(c) && !unicode.In(c, unicode.Ps, unicode.Pi) })
	r.words[len(r.words)-1].Text += text[:len(text)-len(rest)]
	return rest
}

// record adds the change of the old words and the new text up to the next kept ones.
func (r *realigning) record(next kept) {
	from, to, start, end := r.word, next.from, r.at, next.start
	if from == to && r.last.to > 0 { // an insertion after kept words
		from, start = r.last.from, r.last.start
	} else if from == to { // before the first word
		to, end = next.to, next.end
	}
	old := r.old.Words[from:to]
	c := Change{Start: old[0].Start, End: latest(old), New: strings.Trim(r.text[start:end], " ")}
	if r.spans == nil {
		c.Old = JoinWords(old, r.language)
	} else {
		c.Old = r.old.Text[r.spans[from].start:r.spans[to-1].end]
	}
	r.changes = append(r.changes, c)
}

func latest(words []Word) (end time.Duration) {
	for _, w := range words {
		end = max(end, w.End)
	}
	return end
}

// guess returns the words of a new text in a window, with estimated times.
func (r *realigning) guess(text string, w Window) []Word {
	words := spread(text, w, r.language)
	for i := range words {
		words[i].Confidence, words[i].Speaker, words[i].Estimated = 1, r.old.Speaker, true
	}
	return words
}

// room returns the window of words that are inserted before the next kept ones: as long as the utterance's speaker needs for them, in the
// gap, or else in the neighbour's time.
func (r *realigning) room(texts []string, next kept) Window {
	length := 0
	for _, t := range texts {
		length += utf8.RuneCountInString(t)
	}
	wanted := max(time.Duration(length)*r.pace(), time.Duration(len(texts))*time.Millisecond)
	if len(r.words) == 0 {
		w := r.old.Words[next.from]
		return Window{w.Start, w.Start + share(w, length)}
	}
	w := r.words[len(r.words)-1]
	if next.from < len(r.old.Words) && r.old.Words[next.from].Start-w.End >= wanted/2 {
		return Window{w.End, min(w.End+wanted, r.old.Words[next.from].Start)}
	}
	return Window{w.End - share(w, length), w.End}
}

// pace returns how long a character takes in this utterance.
func (r *realigning) pace() time.Duration {
	var spoken time.Duration
	length := 0
	for _, w := range r.old.Words {
		spoken += w.End - w.Start
		length += utf8.RuneCountInString(w.Text)
	}
	return spoken / time.Duration(max(length, 1))
}

// share returns the part of a word's time that inserted words of a length get, in whole milliseconds.
func share(w Word, length int) time.Duration {
	part := float64(length) / float64(length+utf8.RuneCountInString(w.Text))
	ms := math.Round(float64((w.End-w.Start)/time.Millisecond) * part)
	return min(max(time.Duration(ms), 1), (w.End-w.Start)/time.Millisecond) * time.Millisecond
}
