package der

import "time"

// JER returns the Jaccard error rate (Ryant et al., "The Second DIHARD Diarization Challenge", Interspeech 2019). Speakers
// are mapped one to one so that the sum of their Jaccard indices |R∩H| / |R∪H| is maximal. The rate is the mean of 1 − index
// over the reference's speakers, with 1 for a speaker without counterpart. Each speaker has the same weight, however little
// they say. Without reference speech, it is 0 if the hypothesis has no speech either, otherwise 1. It ignores o.Collar and
// o.SkipOverlap.
func JER(ref, hyp []Segment, o Options) float64 {
	refNames, refSpans := bySpeaker(ref)
	hypNames, hypSpans := bySpeaker(hyp)
	cells := partition(refNames, refSpans, hypNames, hypSpans, nil, Options{UEM: o.UEM})

	refTime, hypTime := make([]time.Duration, len(refNames)), make([]time.Duration, len(hypNames))
	index := make([][]float64, len(refNames)) // first the time in common, later the Jaccard index
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
	for r, h := range maxPairing(index) {
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
