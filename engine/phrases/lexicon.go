package phrases

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// lexicon has the words of a language with the binary logarithm of their frequency. A text is split into the words that are most likely
// together (unigrams, by dynamic programming), so that no line breaks inside one.
type lexicon struct {
	single [lastHan - firstHan + 1]int8 // of words of one character; 0 for none
	longer wordTable                    // of longer words, and unlikely for what they begin with
	total  int                          // the logarithm of all words
}

// word is up to four Chinese characters, 16 bits for each.
type word uint64

const firstHan, lastHan = 0x4e00, 0x9fff

// Each line of the list has the logarithm and the length of words, then the words without spaces between them.
//
//go:generate go -C testdata/label run .
//go:embed zh-words.txt
var chineseWords string

var chineseLexicon = sync.OnceValue(func() *lexicon { return parseLexicon(chineseWords) })

func parseLexicon(list string) *lexicon {
	l := &lexicon{total: 25}
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		logarithm, _ := strconv.Atoi(fields[0])
		length, _ := strconv.Atoi(fields[1])
		w, n := word(0), 0
		for _, r := range fields[2] {
			w = w<<16 | word(r)
			switch n++; {
			case n < length && n > 1:
				l.longer.add(w, beginning)
			case n < length:
			case n == 1:
				l.single[r-firstHan] = int8(logarithm)
				w, n = 0, 0
			default:
				l.longer.add(w, int8(logarithm))
				w, n = 0, 0
			}
		}
	}
	return l
}

// split sets the length of the word that each character begins, in characters, or 0 if it continues one. Only Chinese characters are
// split; others are words of their own.
func (l *lexicon) split(words []int8, runes []rune, kinds []kind) {
	best, length := make([]int, len(runes)+1), make([]int8, len(runes)+1)
	for i := 0; i < len(runes); {
		j := i + 1
		for kinds[i] == kindHan && j < len(runes) && kinds[j] == kindHan {
			j++
		}
		l.splitRun(runes[i:j], words[i:j], best, length)
		i = j
	}
}

// splitRun sets the words of a run of Chinese characters. best gets how likely the most likely words of the first characters are, and length
// that of the last of them.
func (l *lexicon) splitRun(run []rune, words []int8, best []int, length []int8) {
	if len(run) == 1 {
		words[0] = 1
		return
	}
	best[0] = 0
	for i := range run {
		best[i+1] = -1 << 60
	}
	for i, r := range run {
		alone := int8(0)
		if r >= firstHan && r <= lastHan {
			alone = l.single[r-firstHan]
		}
		if likely := best[i] + int(alone) - l.total; likely > best[i+1] {
			best[i+1], length[i+1] = likely, 1
		}
		w := word(r)
		for n := 2; i+n <= len(run) && r <= lastHan && run[i+n-1] <= lastHan; n++ {
			w = w<<16 | word(run[i+n-1])
			logarithm := l.longer.find(w)
			if logarithm == unknown {
				break
			}
			if likely := best[i] + int(logarithm) - l.total; logarithm != beginning && likely > best[i+n] {
				best[i+n], length[i+n] = likely, int8(n)
			}
		}
	}
	for j := len(run); j > 0; j -= int(length[j]) {
		words[j-int(length[j])] = length[j]
	}
}
