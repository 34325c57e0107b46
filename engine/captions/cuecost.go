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
	speed := float64(b.chars[j]-b.chars[i]) / shown.Seconds()
	if over := speed/b.o.ReadingSpeed - 1; over > 0 {
		cost += int(30 * min(over, 3))
	}
	return cost
}

const (
	costOrphan    = 240 // of a cue that is one short word or two, but no sentence
	costMixed     = 50  // of a cue that ends a sentence and begins another
	costOverWords = 60  // of one word more than wanted
)

// shapeCost returns what words i to j-1 cost as a cue because of their number and the sentences they are of.
func (b *breaker) shapeCost(i, j int) int {
	cost := 0
	begins, ends := i == 0 || b.ended[i] > b.ended[i-1], j == len(b.tokens) || b.ended[j] > b.ended[j-1]
	if b.columns(i, j) <= b.o.orphan() && !(begins && ends) {
		cost += costOrphan
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
	if over := b.words[j] - b.words[i] - b.o.Words; b.o.Words > 0 && over > 0 {
		cost += costOverWords * over * over
	}
	return cost
}

// orphan is the width of text that looks lost when it is a part of a sentence.
func (o Options) orphan() int { return min(o.Columns/4+1, 8) }

// mostWords is the hard limit that belongs to Words: half more.
func (o Options) mostWords() int { return o.Words + (o.Words+1)/2 }

// layoutCost returns the cost of the best lines for words i to j-1; ok is false when they don't fit.
func (b *breaker) layoutCost(i, j, first, lines int) (cost int, ok bool) {
	cost, _, ok = b.splitLine(i, j, first, lines)
	return cost, ok
}

// splitLine returns where the first of the best lines for words i to j-1 ends. A single line is best if the words fit.
func (b *breaker) splitLine(i, j, first, lines int) (cost, end int, ok bool) {
	if b.fits(i, j, first) {
		return 0, j, true
	}
	if lines < 2 {
		return 0, 0, false
	}
	for k := i + 1; k < j && b.fits(i, k, first); k++ {
		rest, _, restOK := b.splitLine(k, j, b.o.Columns, lines-1)
		if !restOK {
			continue
		}
		upper, lower := b.columns(i, k)+b.o.Columns-first, min(b.columns(k, j), b.o.Columns)
		diff := upper - lower
		c := rest + b.tokens[k-1].cost/3 + diff*diff*40/(b.o.Columns*b.o.Columns)
		if diff > 0 {
			c += 3 // prefer a shorter upper line: it covers less of the picture
		}
		if min(b.columns(i, k), b.columns(k, j)) <= b.o.orphan() {
			c += costOrphan / 4
		}
		if !ok || c < cost {
			cost, end, ok = c, k, true
		}
	}
	return cost, end, ok
}
