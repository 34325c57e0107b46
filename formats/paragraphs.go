package formats

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Paragraphs of one speaker last 60 to 90 s, if there are sentences that end there. That is about ten lines on paper, and often
// enough for times to navigate by.
const (
	paragraphAim = 80 * time.Second
	paragraphMax = 90 * time.Second
	longPause    = 10 * time.Second // begins a paragraph
	pieceMax     = 15 * time.Second // longer utterances may be divided
)

// readingPace is how long a character lasts at least. It divides text whose times are wrong or missing.
const readingPace = time.Second / 30

// hasLong reports whether a transcript has utterances that may have to be divided, which needs their words.
func hasLong(t transcript.Transcript) bool {
	return slices.ContainsFunc(t.Utterances, func(u transcript.Utterance) bool { return isLong(u.Text, u.End-u.Start) })
}

// isLong reports whether an utterance may be divided.
func isLong(text string, spoken time.Duration) bool {
	const most = int(pieceMax / readingPace)
	return spoken > pieceMax || len(text) > most && utf8.RuneCountInString(text) > most
}

// piece is a text that stays in one paragraph.
type piece struct {
	gap, text  string // gap is the space before the text, if both are in one paragraph
	letters    int    // of both; 0 until they are counted
	start, end time.Duration
	mark       mark // at its end
}

// mark is how well a paragraph ends somewhere. More is better.
type mark int

const (
	endsWord mark = iota
	endsClause
	endsSentence
)

// paragraphs merges consecutive utterances of a speaker and divides long ones, for formats that are read rather than watched.
func (s script) paragraphs() []captions.Utterance {
	all := make([]captions.Utterance, 0, len(s.Utterances))
	var pieces []piece
	for _, turn := range s.turns() {
		pieces = s.appendTurn(pieces[:0], turn, false)
		all = appendParagraphs(all, turn[0], pieces, false)
	}
	return all
}

// turns returns consecutive utterances of one speaker without a long pause.
func (s script) turns() [][]captions.Utterance {
	var all [][]captions.Utterance
	for i := 0; i < len(s.Utterances); {
		j, end := i+1, s.Utterances[i].End
		for ; j < len(s.Utterances) && s.Utterances[j].Label == s.Utterances[i].Label && s.Utterances[j].Start-end <= longPause; j++ {
			end = max(end, s.Utterances[j].End)
		}
		all = append(all, s.Utterances[i:j])
		i = j
	}
	return all
}

func turnEnd(turn []captions.Utterance) time.Duration {
	end := turn[0].End
	for _, u := range turn {
		end = max(end, u.End)
	}
	return end
}

// pieces returns the pieces of a turn. If divide is set, every word is one.
func (s script) pieces(turn []captions.Utterance, divide bool) []piece {
	return s.appendTurn(nil, turn, divide)
}

func (s script) appendTurn(pieces []piece, turn []captions.Utterance, divide bool) []piece {
	for _, u := range turn {
		pieces = s.appendPieces(pieces, u, divide)
	}
	return pieces
}

// appendParagraphs appends the paragraphs of the pieces of a turn, whose speaker is that of its first utterance. If timed is set, their
// words are the pieces.
func appendParagraphs(all []captions.Utterance, first captions.Utterance, pieces []piece, timed bool) []captions.Utterance {
	for len(pieces) > 0 {
		n := paragraphEnd(pieces)
		p := captions.Utterance{Label: first.Label, Name: first.Name, Start: pieces[0].start, Confidence: first.Confidence}
		if n == 1 && !timed {
			p.Text, p.End = pieces[0].text, pieces[0].end
			all, pieces = append(all, p), pieces[1:]
			continue
		}
		var text strings.Builder
		text.Grow(bytesOf(pieces[:n]))
		for i, c := range pieces[:n] {
			if i > 0 {
				text.WriteString(c.gap)
			}
			text.WriteString(c.text)
			p.End = max(p.End, c.end)
			if timed {
				p.Words = append(p.Words, transcript.Word{Text: c.text, Start: c.start, End: c.end})
			}
		}
		p.Text = text.String()
		all = append(all, p)
		pieces = pieces[n:]
	}
	return all
}

func bytesOf(pieces []piece) int {
	n := 0
	for i := range pieces {
		n += len(pieces[i].gap) + len(pieces[i].text)
	}
	return n
}

// paragraphEnd returns how many pieces the next paragraph has. The paragraphs of a turn become about equally long.
func paragraphEnd(pieces []piece) int {
	if len(pieces) == 1 {
		return 1
	}
	ends := elapsed(pieces)
	total := ends[len(ends)-1]
	if total <= paragraphMax {
		return len(ends)
	}
	target := total / (1 + total/paragraphAim)
	best, bestMark, bestAway := 1, endsWord, paragraphMax
	for i, end := range ends[:len(ends)-1] {
		away := (end - target).Abs()
		if end > paragraphMax {
			break
		}
		if m := pieces[i].mark; away <= target/2 && (m > bestMark || m == bestMark && away < bestAway) {
			best, bestMark, bestAway = i+1, m, away
		}
	}
	return best
}

// elapsed returns when each piece ends, from the start of the first one. It stops at the piece that is far enough for the choice.
func elapsed(pieces []piece) []time.Duration {
	var ends []time.Duration
	var end time.Duration
	letters := 0
	for i := range pieces {
		c := &pieces[i]
		if c.letters == 0 {
			c.letters = utf8.RuneCountInString(c.gap) + utf8.RuneCountInString(c.text)
		}
		letters += c.letters
		end = max(end, c.end-pieces[0].start, time.Duration(letters)*readingPace)
		ends = append(ends, end)
		if end > 4*paragraphAim {
			break
		}
	}
	return ends
}

// appendPieces appends the pieces of an utterance. A short one is one piece unless divide is set, a long one as many as it has words.
func (s script) appendPieces(pieces []piece, u captions.Utterance, divide bool) []piece {
	gap := ""
	if len(pieces) > 0 {
		last := transcript.LastRune(pieces[len(pieces)-1].text)
		_, n := utf8.DecodeRuneInString(u.Text)
		joined := transcript.JoinWords([]transcript.Word{{Text: last}, {Text: u.Text[:n]}}, s.Language)
		gap = joined[len(last) : len(joined)-n]
	}
	first := len(pieces)
	if divide || isLong(u.Text, u.End-u.Start) {
		pieces = s.appendWords(pieces, u)
	}
	if len(pieces) == first {
		pieces = append(pieces, piece{text: u.Text, start: u.Start, end: u.End})
	}
	pieces[first].gap, pieces[len(pieces)-1].mark = gap, endsSentence
	return pieces
}

// appendWords appends a piece for each word of an utterance, or nothing if the words are not those of the text.
func (s script) appendWords(pieces []piece, u captions.Utterance) []piece {
	words := captions.Script{Language: s.Language, Utterances: []captions.Utterance{u}}.Words()
	all := slices.Grow(pieces, len(words))
	rest := u.Text
	for i, w := range words {
		gap, after, ok := transcript.CutWord(rest, w.Text)
		if !ok {
			return pieces
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1].Text
		}
		all = append(all, piece{gap: gap, text: rest[len(gap) : len(rest)-len(after)], start: w.Start, end: w.End, mark: markOf(w.Text, next, s.Language)})
		rest = after
	}
	if rest != "" {
		return pieces
	}
	return all
}

// markOf returns how well a paragraph ends after a word.
func markOf(word, next string, l transcript.Language) mark {
	if transcript.EndsSentence(word, next, l) {
		return endsSentence
	}
	if r, _ := utf8.DecodeLastRuneInString(word); strings.ContainsRune(",;:،、，；：—", r) {
		return endsClause
	}
	return endsWord
}
