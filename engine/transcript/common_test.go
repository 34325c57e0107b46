package transcript

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requireCommon fails unless pairs are of equal elements, and in the order of both sequences.
func requireCommon(t require.TestingT, a, b []int, pairs []pair) {
	last := pair{-1, -1}
	for _, p := range pairs {
		require.Greater(t, p.Old, last.Old)
		require.Greater(t, p.New, last.New)
		require.Equal(t, a[p.Old], b[p.New])
		last = p
	}
}

// Short sequences have a longest common subsequence: of a, and a with elements removed, that is what is left.
func TestCommonIsLongest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 30).Draw(t, "a")
		var b []int
		for _, v := range a {
			if rapid.Bool().Draw(t, "keep") {
				b = append(b, v)
			}
		}
		pairs := common(a, b)
		requireCommon(t, a, b, pairs)
		require.Len(t, pairs, len(b))
		requireCommon(t, b, a, common(b, a))
	})
}

// Long sequences are cut at their unique elements: a few changes leave almost everything in common.
func TestCommonOfLongSequences(t *testing.T) {
	t.Parallel()
	dice := rand.New(rand.NewPCG(1, 2))
	a := make([]int, 40_000)
	for i := range a {
		a[i] = dice.IntN(20_000)
	}
	b := slices.Clone(a)
	for range 100 {
		b[dice.IntN(len(b))] = -1
	}
	b = slices.Concat([]int{-2}, b, []int{-3})
	pairs := common(a, b)
	requireCommon(t, a, b, pairs)
	require.Greater(t, len(pairs), 39_000)
	require.Empty(t, common(slices.Repeat([]int{1, 2}, 2000), slices.Repeat([]int{3}, 4000)), "nothing is unique")
}

// A longest rising sequence is found.
func TestRising(t *testing.T) {
	t.Parallel()
	require.Equal(t, []pair{{1, 1}, {2, 2}, {4, 3}, {6, 6}}, rising([]pair{{0, 5}, {1, 1}, {2, 2}, {3, 9}, {4, 3}, {5, 7}, {6, 6}}))
	require.Empty(t, rising(nil))
}
