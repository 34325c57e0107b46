package input

import "strings"

// Strings returns names as strings.
func Strings[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

// Enumerate joins names for a sentence: "a, b and c".
func Enumerate[T ~string](names []T) string {
	all := Strings(names)
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " and " + all[last]
}
