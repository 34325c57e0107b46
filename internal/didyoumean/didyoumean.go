// Package didyoumean finds the word that was probably meant when a name is misspelt. Start with Suggest:
//
//	didyoumean.Suggest("createUplod", []string{"createUpload", "listSpaces"}) // createUpload
package didyoumean

import "strings"

const longest = 100 // longest prefix of a word that is compared, in bytes

// Closest returns the word with the smallest edit distance to wrote, ignoring case. Of several equally close words, the first that is as
// long as wrote wins, as when letters are exchanged, or else the first.
// Without words it returns "".
func Closest(wrote string, words []string) string {
	best, _ := closest(wrote, words)
	return best
}

// Suggest returns the closest word. It returns "" when the edit distance exceeds both 1 and a third of wrote's length, or when nothing of
// wrote would be left.
func Suggest(wrote string, words []string) string {
	if best, changes := closest(wrote, words); changes < len(wrote) && changes <= max(1, min(len(wrote), longest)/3) {
		return best
	}
	return ""
}

func closest(wrote string, words []string) (best string, least int) {
	wrote = strings.ToLower(wrote[:min(len(wrote), longest)])
	least = int(^uint(0) >> 1)
	for _, w := range words {
		d := distance(wrote, strings.ToLower(w))
		if d < least || d == least && len(w) == len(wrote) && len(best) != len(wrote) {
			best, least = w, d
		}
	}
	return best, least
}

// distance returns the number of bytes to insert, delete, replace, or exchange with the next one to turn a into b (optimal string alignment:
// Levenshtein's distance with the transpositions of Damerau, 1964).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
