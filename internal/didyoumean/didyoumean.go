// Package didyoumean finds the word that was probably meant when a name is misspelt. Start with Suggest:
//
//	didyoumean.Suggest("createUplod", []string{"createUpload", "listSpaces"}) // createUpload
package didyoumean

import "strings"

const longest = 100 // longest prefix of a word that is compared, in bytes

// Closest returns the word with the smallest edit distance to wrote, ignoring case. The first of several equally close words wins.
// Without words it returns "".
func Closest(wrote string, words []string) string {
	best, _ := closest(wrote, words)
	return best
}

// Suggest returns the closest word. It returns "" when the edit distance exceeds both 2 and a third of wrote's length.
func Suggest(wrote string, words []string) string {
	if best, changes := closest(wrote, words); changes <= max(2, min(len(wrote), longest)/3) {
		return best
	}
	return ""
}

func closest(wrote string, words []string) (best string, least int) {
	wrote = strings.ToLower(wrote[:min(len(wrote), longest)])
	least = int(^uint(0) >> 1)
	for _, w := range words {
		if d := distance(wrote, strings.ToLower(w)); d < least {
			best, least = w, d
		}
	}
	return best, least
}

// distance returns the number of bytes to insert, delete or replace to turn a into b (Levenshtein, 1966).
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
