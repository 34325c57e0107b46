// Package nearest finds the word that somebody probably meant who wrote another one.
package nearest

import "strings"

const longest = 100 // bytes of a word that are looked at

// Word returns the word that takes the fewest changes to come from what was written, regardless of case; the first of several.
func Word(wrote string, words []string) string {
	best, _ := find(wrote, words)
	return best
}

// Meant is Word, if it is near enough to have been meant: at most a third of what was written is different, or two letters. Else it
// is "".
func Meant(wrote string, words []string) string {
	if best, changes := find(wrote, words); changes <= max(2, min(len(wrote), longest)/3) {
		return best
	}
	return ""
}

func find(wrote string, words []string) (best string, least int) {
	wrote = strings.ToLower(wrote[:min(len(wrote), longest)])
	least = int(^uint(0) >> 1)
	for _, w := range words {
		if d := distance(wrote, strings.ToLower(w)); d < least {
			best, least = w, d
		}
	}
	return best, least
}

// distance is how many letters must be inserted, left out or replaced to make b of a (Levenshtein, 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
