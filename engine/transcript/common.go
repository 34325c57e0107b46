package transcript

import "cmp"

// pair says that element Old of one sequence is element New of another.
type pair struct{ Old, New int }

// maxTable limits the table of a longest common subsequence: 4 MiB.
const maxTable = 1 << 20

// common returns the elements that two sequences have in common, in the order of both. Sequences of up to a thousand different elements
// get a longest common subsequence. Longer ones are first cut at the elements that occur once in each; what can't be cut has nothing in
// common. This takes time and memory in proportion to their length.
func common[T comparable](a, b []T) []pair {
	return appendCommon(nil, a, b, pair{})
}

// appendCommon appends the common elements of a and b, which begin at an offset.
func appendCommon[T comparable](all []pair, a, b []T, at pair) []pair {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		all = append(all, at)
		a, b, at = a[1:], b[1:], pair{at.Old + 1, at.New + 1}
	}
	end := 0
	for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	a, b = a[:len(a)-end], b[:len(b)-end]
	if len(a)*len(b) <= maxTable {
		all = appendLongest(all, a, b, at)
	} else {
		from := pair{}
		for _, p := range anchors(a, b) {
			all = appendCommon(all, a[from.Old:p.Old], b[from.New:p.New], pair{at.Old + from.Old, at.New + from.New})
			all = append(all, pair{at.Old + p.Old, at.New + p.New})
			from = pair{p.Old + 1, p.New + 1}
		}
		if from != (pair{}) {
			all = appendCommon(all, a[from.Old:], b[from.New:], pair{at.Old + from.Old, at.New + from.New})
		}
	}
	for i := range end {
		all = append(all, pair{at.Old + len(a) + i, at.New + len(b) + i})
	}
	return all
}

// appendLongest appends a longest common subsequence. length[i*width+j] is that of a[i:] and b[j:].
func appendLongest[T comparable](all []pair, a, b []T, at pair) []pair {
	if len(a) == 0 || len(b) == 0 {
		return all
	}
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			all = append(all, pair{at.Old + i, at.New + j})
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return all
}

// anchors returns the most elements that occur once in each of two sequences, and in the same order (patience diff).
func anchors[T comparable](a, b []T) []pair {
	type seen struct{ inA, inB, at int }
	found := map[T]*seen{}
	for _, v := range a {
		if found[v] == nil {
			found[v] = &seen{}
		}
		found[v].inA++
	}
	for j, v := range b {
		if s := found[v]; s != nil {
			s.inB++
			s.at = j
		}
	}
	var unique []pair
	for i, v := range a {
		if s := found[v]; s.inA == 1 && s.inB == 1 {
			unique = append(unique, pair{i, s.at})
		}
	}
	return rising(unique)
}

// rising returns a longest subsequence of pairs, sorted by Old, in which New rises, too.
func rising(pairs []pair) []pair {
	var ends []int // ends[n] is the pair with the smallest New that ends a sequence of n+1 pairs
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, high := 0, len(ends)
		for n < high {
			if mid := (n + high) / 2; cmp.Less(pairs[ends[mid]].New, p.New) {
				n = mid + 1
			} else {
				high = mid
			}
		}
		if before[i] = -1; n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		}
		ends[n] = i
	}
	out := make([]pair, len(ends))
	for n, i := len(ends)-1, 0; n >= 0; n-- {
		if n == len(ends)-1 {
			i = ends[n]
		}
		out[n] = pairs[i]
		i = before[i]
	}
	return out
}
