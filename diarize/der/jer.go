package der

import "time"

// JER is the Jaccard error rate (Ryant et al., "The Second DIHARD Diarization Challenge", Interspeech 2019): speakers are
// mapped one to one such that the sum of their Jaccard indices |R∩H| / |R∪H| is the largest; the rate is the mean over
// the reference's speakers of 1 − their index, 1 for a speaker without a counterpart. Each speaker weighs the same,
// however little they say. Collar and SkipOverlap of o are not used. Without any reference speech it is 0 when nothing
// was found either, else 1.
func JER(ref, hyp []Segment, o Options) float64 {
	refNames, refSpans := bySpeaker(ref)
	hypNames, hypSpans := bySpeaker(hyp)
	cells := partition(refNames, refSpans, hypNames, hypSpans, Options{UEM: o.UEM})

	refTime, hypTime := make([]time.Duration, len(refNames)), make([]time.Duration, len(hypNames))
	index := make([][]float64, len(refNames)) // first the time in common, then the Jaccard index
	for i := range index {
		index[i] = make([]float64, len(hypNames))
	}
	for _, c := range cells {
		for _, h := range c.hyp {
			hypTime[h] += c.length
		}
		for _, r := range c.ref {
			refTime[r] += c.length
			for _, h := range c.hyp {
				index[r][h] += float64(c.length)
			}
		}
	}
	speakers, sum := 0, 0.0
	for r := range index {
		for h, common := range index[r] {
			if common > 0 {
				index[r][h] = common / (float64(refTime[r]+hypTime[h]) - common)
			}
		}
	}
	for r, h := range assign(index) {
		if refTime[r] == 0 {
			continue
		}
		speakers++
		sum++
		if h >= 0 {
			sum -= index[r][h]
		}
	}
	if speakers == 0 {
		return float64(min(len(cells), 1))
	}
	return sum / float64(speakers)
}
