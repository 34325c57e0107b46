package diarize

import (
	"math"
	"slices"
)

const (
	clearTune    = 2.5  // a group whose score is higher is music …
	restTune     = 1.0  // … or higher than this, where most was music
	songWindows  = 50   // a group of fewer windows (40 s) is music, too, …
	likelyTune   = 0.5  // … if its score is higher than this …
	tuneContrast = 3.0  // … and exceeds that of the group most like speech by this
	voiceReach   = 7.5  // separation; of a small group that is further from all others than most voices …
	farTune      = -0.5 // … a lower score is enough
	longTune     = 1.8  // of a larger group, …
	longContrast = 7.5  // … more is needed
	spareWindows = 25   // if the speakers are known and there are more groups, one of fewer windows (20 s) is music …
	spareTune    = -1.0 // … with an even lower score
)

// musicGroups says which of the k groups of windows are music, from their tunes, their sizes, and their distances: with a score above clear
// in any case. Jingles and songs fall into small groups, and some are like speech. A voice over music, or in a hall, has a high score, too, but
// mostly talks for longer. Most voices are not as far from each other as music often is from all voices. If nothing else is music, and there
// are more groups than speakers, whose number is known or 0, some of them are what music left: a part of a voice is rarely like music.
func musicGroups(labels []int, tunes []tune, moments []moment, k, speakers int, clear float64) []bool {
	groups, sounds := make([]tune, k), sumMoments(labels, moments, k)
	for i, l := range labels {
		groups[l].add(&tunes[i])
	}
	least := math.Inf(1)
	for i := range groups {
		least = min(least, groups[i].score())
		sounds[i].close()
	}
	music := make([]bool, k)
	for i := range groups {
		score := groups[i].score()
		switch contrast := score - least; {
		case score > clear:
			music[i] = true
		case groups[i].windows < songWindows:
			music[i] = contrast > tuneContrast && (score > likelyTune || score > farTune && isolated(sounds, i))
		default:
			music[i] = contrast > longContrast && score > longTune
		}
	}
	if speakers > 0 && !slices.Contains(music, true) {
		markSpare(music, groups, k-speakers, least)
	}
	return music
}

// markSpare marks up to n small groups as music, those with the highest scores first.
func markSpare(music []bool, groups []tune, n int, least float64) {
	for range n {
		most, highest := -1, max(spareTune, least+tuneContrast)
		for i := range groups {
			if score := groups[i].score(); !music[i] && groups[i].windows < spareWindows && score > highest {
				most, highest = i, score
			}
		}
		if most < 0 {
			return
		}
		music[most] = true
	}
}

// isolated says whether a group is further from all others than most voices are.
func isolated(groups []*moment, i int) bool {
	near := math.Inf(1)
	for j := range groups {
		if j != i {
			near = min(near, separation(groups[min(i, j)], groups[max(i, j)]))
		}
	}
	return len(groups) > 1 && near > voiceReach
}
