package captions

import "time"

// endCost returns what any cue costs that ends with word j-1.
func (b *breaker) endCost(j int) int {
	const base = 40
	last := &b.tokens[j-1]
	switch {
	case j == len(b.tokens):
		return base
	case b.tokens[j].Start-last.End >= 300*time.Millisecond:
		return base + last.cost*3/4
	}
	return base + last.cost*3/2
}

// cueCost returns the cost of words i to j-1 as one cue, without that of its end.
func (b *breaker) cueCost(i, j int) int {
	start := b.tokens[i].Start
	shown := b.tokens[j-1].End + b.o.Linger - start
	if j < len(b.tokens) {
		shown = min(shown, max(b.tokens[j].Start-b.o.Gap-start, time.Millisecond))
	}
	cost := b.shapeCost(i, j)
	if shown < b.o.MinDuration {
		lack := float64(b.o.MinDuration-shown) / float64(b.o.MinDuration)
		cost += 80 + int(300*lack*lack)
	}
	readable := b.o.ReadingSpeed / float64(time.Second) * float64(shown) // characters
	if over := float64(b.chars[j]-b.chars[i])/readable - 1; over > 0 {
		cost += int(30 * min(over, 3))
	}
	return cost
}

const (
	costOrphan    = 240 // of a cue that is one short word or two, but no sentence
	costRest      = 45  // of a cue that is the rest of a sentence, and less than half a line
	costMixed     = 50  // of a cue that ends a sentence and begins another
	costOverWords = 60  // of one word more than wanted
)

// shapeCost returns what words i to j-1 cost as a cue because of their number and the sentences they are of.
func (b *breaker) shapeCost(i, j int) int {
	cost := 0
	begins, ends := i == 0 || b.ended[i] > b.ended[i-1], j == len(b.tokens) || b.ended[j] > b.ended[j-1]
	if b.columns(i, j) <= b.orphan && !(begins && ends) {
		cost += costOrphan
	}
	if b.o.Words == 0 && !begins && ends && b.columns(i, j) < b.o.Columns/2 {
		cost += costRest
	}
	switch {
	case b.ended[j-1] == b.ended[i]: // no sentence ends inside
	case b.o.Words > 0:
		cost += 2 * costMixed
	case ends:
	case b.tokens[j-1].clause:
		cost += costMixed / 3
	default:
		cost += costMixed
	}
	if over := b.spoken[j] - b.spoken[i] - b.o.Words; b.o.Words > 0 && over > 0 {
		cost += costOverWords * over * over
	}
	return cost
}

// orphan is the width of text that looks lost when it is a part of a sentence.
func (o Options) orphan() int { return min(o.Columns/4+1, 8) }

// mostWords is the hard limit that belongs to Words: half more.
func (o Options) mostWords() int { return o.Words + (o.Words+1)/2 }

// splitLine returns the cost of the best lines for words i to j-1, and where the first of them ends; ok is false when they don't fit. A
// single line is best if the words fit. lower is where to look for the second line: i+1, or what a call with the same i and a smaller j set.
func (b *breaker) splitLine(i, j, first, lines int, lower *int) (cost, end int, ok bool) {
	if b.fits(i, j, first) {
		return 0, j, true
	}
	if lines < 2 {
		return 0, 0, false
	}
	k := i + 1
	if lines == 2 {
		for *lower < j && !b.fits(*lower, j, b.o.Columns) {
			*lower++
		}
		k = *lower
	}
	for ; k < j && b.fits(i, k, first); k++ {
		rest := 0
		if lines > 2 {
			from, fits := k+1, false
			if rest, _, fits = b.splitLine(k, j, b.o.Columns, lines-1, &from); !fits {
				continue
			}
		}
		c := rest + b.splitCost(i, k, j, first)
		if !ok || c < cost {
			cost, end, ok = c, k, true
		}
	}
	return cost, end, ok
}

// splitCost returns the cost of a line of words i to k-1 above words k to j-1.
func (b *breaker) splitCost(i, k, j, first int) int {
	upper, lower := b.columns(i, k), b.columns(k, j)
	diff := upper + b.o.Columns - first - min(lower, b.o.Columns)
	cost := b.tokens[k-1].cost/3 + diff*diff*40/(b.o.Columns*b.o.Columns)
	if diff > 0 {
		cost += 3 // prefer a shorter upper line: it covers less of the picture
	}
	if min(upper, lower) <= b.orphan {
		cost += costOrphan / 4
	}
	return cost
}
