package backend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// difference is a fact whose value differs between a request and a recorded one, or that only one of them has.
type difference struct {
	place           string
	asked, recorded *string // nil if absent
	hash            bool
}

// differences returns the facts in which a request differs from a recorded one.
func differences(asked, recorded []fact) []difference {
	byPlace := make(map[string]fact, len(recorded))
	for _, r := range recorded {
		byPlace[r.place] = r
	}
	var all []difference
	for _, a := range asked {
		r, ok := byPlace[a.place]
		delete(byPlace, a.place)
		switch {
		case !ok:
			all = append(all, difference{place: a.place, asked: &a.value, hash: a.hash})
		case !matches(r.value, a.value):
			all = append(all, difference{a.place, &a.value, &r.value, a.hash && r.hash})
		}
	}
	for _, r := range recorded {
		if _, ok := byPlace[r.place]; ok {
			all = append(all, difference{place: r.place, recorded: &r.value, hash: r.hash})
		}
	}
	return all
}

// weight is a difference's contribution to distance.
func (d difference) weight() int {
	switch d.place {
	case "the kind":
		return 1_000_000
	case "the path", "the program":
		return 10_000
	case "the method":
		return 1000
	case "the type of the body":
		return 100
	}
	return 1
}

// distance is the sum of the weights.
func distance(all []difference) int {
	sum := 0
	for _, d := range all {
		sum += d.weight()
	}
	return sum
}

// String describes the difference, with both values shortened.
func (d difference) String() string {
	place := oneLine(d.place, 120)
	switch {
	case d.recorded == nil && d.hash:
		return place + " were not recorded"
	case d.asked == nil && d.hash:
		return place + " are missing"
	case d.recorded == nil:
		return place + " is " + shortened(*d.asked, 0) + " (not recorded)"
	case d.asked == nil:
		return place + " is missing (recorded: " + shortened(*d.recorded, 0) + ")"
	case d.hash:
		return fmt.Sprintf("%s differ: %s, recorded %s", place, shortHash(*d.asked), shortHash(*d.recorded))
	}
	at := firstDifference(*d.asked, *d.recorded)
	return fmt.Sprintf("%s is %s (recorded: %s)", place, shortened(*d.asked, at), shortened(*d.recorded, at))
}

// firstDifference returns the length of the common prefix in bytes.
func firstDifference(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// shortened quotes the part of a value around byte at.
func shortened(value string, at int) string {
	const before, most = 12, 40
	if text, ok := strings.CutPrefix(value, `"`); ok { // a JSON string
		value, at = text, max(at-1, 0)
	}
	front := ""
	if at > before && len(value) > most {
		cut := min(at, len(value)) - before
		for cut > 0 && !utf8.RuneStart(value[cut]) {
			cut--
		}
		front, value = "…", value[cut:]
	}
	return "“" + front + oneLine(value, most) + "”"
}

// shortHash returns a length and the first 8 digits of a hash.
func shortHash(value string) string {
	size, sum, _ := strings.Cut(value, ", SHA-256 ")
	return size + " (SHA-256 " + sum[:min(len(sum), 8)] + "…)"
}

// sortDifferences sorts by descending weight.
func sortDifferences(all []difference) {
	slices.SortStableFunc(all, func(a, b difference) int { return cmp.Compare(b.weight(), a.weight()) })
}

// describe describes at most three differences from the closest recorded request.
func describe(file string, all []difference) string {
	var said []string
	for _, d := range all[:min(len(all), 3)] {
		said = append(said, d.String())
	}
	text := strings.Join(said, "; ")
	if n := len(all) - len(said); n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return fmt.Sprintf("The closest recording is %s, but %s.", file, text)
}
