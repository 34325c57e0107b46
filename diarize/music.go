package diarize

import "math"

const (
	clearTune    = 2.5  // a group whose score is higher is music …
	restTune     = 1.0  // … or higher than this, where most was music …
	likelyTune   = 1.8  // … or higher than this …
	tuneContrast = 3.0  // … if it exceeds that of the group most like speech by this
	voiceReach   = 9.0  // separation; a group that is further from all others than a voice is music …
	farTune      = -1.5 // … if its score is higher than this …
	farContrast  = 2.0  // … and exceeds that of the group most like speech by this
)

// musicGroups says which of the k groups of windows are music, from their tunes and their distances: with a score above clear in any case.
// No two voices are as far from each other as music often is from all voices.
func musicGroups(labels []int, tunes []tune, moments []moment, k int, clear float64) []bool {
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
		likely := max(likelyTune, least+tuneContrast)
		if isolated(sounds, i) {
			likely = max(farTune, least+farContrast)
		}
		music[i] = groups[i].score() > min(likely, clear)
	}
	return music
}

// isolated says whether a group is further from all others than a voice is.
func isolated(groups []*moment, i int) bool {
	near := math.Inf(1)
	for j := range groups {
		if j != i {
			near = min(near, separation(groups[min(i, j)], groups[max(i, j)]))
		}
	}
	return len(groups) > 1 && near > voiceReach
}
