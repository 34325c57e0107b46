package der_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/stretchr/testify/require"
)

// seg is a segment in seconds.
func seg(who string, start, end float64) der.Segment {
	return der.Segment{Speaker: who, Start: seconds(start), End: seconds(end)}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// cases are scored by hand; the derivation is next to each.
var cases = []struct {
	claim                                string
	ref, hyp                             []der.Segment
	options                              der.Options
	total, missed, falseAlarm, confusion float64 // seconds
	jer                                  float64
}{
	{
		claim: "The same segments with other names have no error.",
		ref:   []der.Segment{seg("A", 0, 10), seg("B", 10, 20)},
		hyp:   []der.Segment{seg("1", 10, 20), seg("0", 0, 10)},
		total: 20,
	},
	{
		claim:     "A boundary that is 2 s late confuses 2 s of 20 s.",
		ref:       []der.Segment{seg("A", 0, 10), seg("B", 10, 20)},
		hyp:       []der.Segment{seg("x", 0, 12), seg("y", 12, 20)},
		total:     20,
		confusion: 2,
		jer:       (1.0/6 + 1.0/5) / 2, // A: 10 of 12 s in common; B: 8 of 10 s
	},
	{
		claim:     "A collar of 0.25 s excludes ±0.25 s around 0, 10 and 20: 19 s are scored, of which 1.75 s (10.25–12) are wrong.",
		ref:       []der.Segment{seg("A", 0, 10), seg("B", 10, 20)},
		hyp:       []der.Segment{seg("x", 0, 12), seg("y", 12, 20)},
		options:   der.Options{Collar: 250 * time.Millisecond},
		total:     19,
		confusion: 1.75,
		jer:       (1.0/6 + 1.0/5) / 2,
	},
	{
		claim:     "In overlap (8–10) one of two is missed; after it (10–12) B is confused with A. 14 s of speech in 12 s of time.",
		ref:       []der.Segment{seg("A", 0, 10), seg("B", 8, 12)},
		hyp:       []der.Segment{seg("x", 0, 12)},
		total:     14,
		missed:    2,
		confusion: 2,
		jer:       (1.0/6 + 1) / 2, // A: 10 of 12 in common; B has no counterpart
	},
	{
		claim:     "With SkipOverlap, 8–10 is not scored: 10 s remain, of which 10–12 are wrong.",
		ref:       []der.Segment{seg("A", 0, 10), seg("B", 8, 12)},
		hyp:       []der.Segment{seg("x", 0, 12)},
		options:   der.Options{SkipOverlap: true},
		total:     10,
		confusion: 2,
		jer:       (1.0/6 + 1) / 2,
	},
	{
		claim:      "Speech missing in the reference is a false alarm, and the rate may exceed 1.",
		ref:        []der.Segment{seg("A", 2, 4)},
		hyp:        []der.Segment{seg("x", 0, 6)},
		total:      2,
		falseAlarm: 4,
		jer:        2.0 / 3, // 2 of 6 in common
	},
	{
		claim:      "Only time in the UEM counts: 0–3, where 2–3 is right and 0–2 a false alarm.",
		ref:        []der.Segment{seg("A", 2, 4)},
		hyp:        []der.Segment{seg("x", 0, 6)},
		options:    der.Options{UEM: []der.Span{{Start: 0, End: seconds(2)}, {Start: seconds(1), End: seconds(3)}}},
		total:      1,
		falseAlarm: 2,
		jer:        2.0 / 3, // 1 of 3 in common
	},
	{
		claim:     "The mapping is optimal, not greedy: x shares 5 s with A, but x→B and y→A together share 8 s.",
		ref:       []der.Segment{seg("A", 0, 5), seg("B", 5, 9), seg("A", 9, 13)},
		hyp:       []der.Segment{seg("x", 0, 9), seg("y", 9, 13)},
		total:     13,
		confusion: 5,
		jer:       (5.0/9 + 5.0/9) / 2, // A and y: 4 of 9 in common; B and x: 4 of 9
	},
	{
		claim:  "Overlapping segments of one speaker count once.",
		ref:    []der.Segment{seg("A", 0, 6), seg("A", 4, 10)},
		hyp:    []der.Segment{seg("x", 0, 8)},
		total:  10,
		missed: 2,
		jer:    0.2,
	},
	{
		claim:      "A surplus speaker is a false alarm.",
		ref:        []der.Segment{seg("A", 0, 10)},
		hyp:        []der.Segment{seg("x", 0, 10), seg("y", 3, 5)},
		total:      10,
		falseAlarm: 2,
	},
	{
		claim:  "An empty hypothesis misses everything.",
		ref:    []der.Segment{seg("A", 0, 10), seg("B", 5, 10)},
		total:  15,
		missed: 15,
		jer:    1,
	},
}

func TestHandComputed(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			s := der.DER(c.ref, c.hyp, c.options)
			require.Equal(t, seconds(c.total), s.Total, "total")
			require.Equal(t, seconds(c.missed), s.Missed, "missed")
			require.Equal(t, seconds(c.falseAlarm), s.FalseAlarm, "false alarm")
			require.Equal(t, seconds(c.confusion), s.Confusion, "confusion")
			require.InDelta(t, (c.missed+c.falseAlarm+c.confusion)/c.total, s.DER(), 1e-12)
			require.InDelta(t, c.jer, der.JER(c.ref, c.hyp, c.options), 1e-12)
		})
	}
}

func TestWithoutReference(t *testing.T) {
	t.Parallel()
	// No hypothesis for silence is no error.
	require.Zero(t, der.DER(nil, nil, der.Options{}).DER())
	require.Zero(t, der.JER(nil, nil, der.Options{}))
	// Any hypothesis for silence is entirely wrong.
	found := []der.Segment{seg("x", 0, 1)}
	require.Equal(t, 1.0, der.DER(nil, found, der.Options{}).DER())
	require.Equal(t, 1.0, der.JER(nil, found, der.Options{}))
	// A segment that ends before it starts is ignored.
	require.Zero(t, der.DER([]der.Segment{seg("A", 2, 1)}, nil, der.Options{}).Total)
}

// The mapping names the speakers, and scores of files add up to that of the set.
func TestMappingAndSum(t *testing.T) {
	t.Parallel()
	turns := []transcript.Turn{{Start: 0, End: seconds(4), Speaker: 0}, {Start: seconds(4), End: seconds(6), Speaker: 1}}
	ref := []der.Segment{seg("Anna", 0, 4), seg("Ben", 4, 7)}
	s := der.DER(ref, der.FromTurns(turns), der.Options{})
	require.Equal(t, map[string]string{"0": "Anna", "1": "Ben"}, s.Mapping)
	both := s.Add(der.DER(ref, nil, der.Options{}))
	require.Equal(t, seconds(14), both.Total)
	require.Equal(t, seconds(8), both.Missed)
}

// Random conversations get the scores of an independent implementation: a grid of milliseconds and all mappings.
func TestAgainstBruteForce(t *testing.T) {
	t.Parallel()
	const length = 400 // ms
	rng := rand.New(rand.NewPCG(1, 2))
	conversation := func(names string) (segments []der.Segment, grid [length][]byte) {
		for range rng.IntN(8) {
			who := names[rng.IntN(len(names))]
			start := rng.IntN(length)
			end := min(length, start+rng.IntN(150))
			segments = append(segments, der.Segment{Speaker: string(who),
				Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond})
			for i := start; i < end; i++ {
				if !contains(grid[i], who) {
					grid[i] = append(grid[i], who)
				}
			}
		}
		return segments, grid
	}
	for round := range 300 {
		ref, refGrid := conversation("ABC")
		hyp, hypGrid := conversation("wxyz")
		best := -1
		for _, mapping := range mappings("wxyz", "ABC") {
			right := 0
			for i := range length {
				for _, h := range hypGrid[i] {
					if r, ok := mapping[h]; ok && contains(refGrid[i], r) {
						right++
					}
				}
			}
			best = max(best, right)
		}
		total, missed, falseAlarm, both := 0, 0, 0, 0
		for i := range length {
			nr, nh := len(refGrid[i]), len(hypGrid[i])
			total += nr
			missed += max(0, nr-nh)
			falseAlarm += max(0, nh-nr)
			both += min(nr, nh)
		}
		s := der.DER(ref, hyp, der.Options{})
		want := []int{total, missed, falseAlarm, both - best}
		got := []int{int(s.Total.Milliseconds()), int(s.Missed.Milliseconds()), int(s.FalseAlarm.Milliseconds()), int(s.Confusion.Milliseconds())}
		require.Equal(t, want, got, "round %d: %v against %v", round, hyp, ref)
	}
}

func contains(set []byte, b byte) bool {
	for _, c := range set {
		if c == b {
			return true
		}
	}
	return false
}

// mappings returns every way to map some of from to different elements of to.
func mappings(from, to string) []map[byte]byte {
	if from == "" {
		return []map[byte]byte{{}}
	}
	out := mappings(from[1:], to)
	for i := range to {
		for _, m := range mappings(from[1:], to[:i]+to[i+1:]) {
			m[from[0]] = to[i]
			out = append(out, m)
		}
	}
	return out
}

func TestWords(t *testing.T) {
	t.Parallel()
	ref := []string{"A", "A", "A", "B", "B", "A"}
	// Names don't matter, and one word of six is wrong.
	s := der.Words(ref, []string{"1", "1", "1", "0", "1", "1"})
	require.Equal(t, der.WordScore{Words: 6, Wrong: 1}, s)
	require.InDelta(t, 1.0/6, s.WDER(), 1e-12)
	// Every word of a surplus speaker is wrong.
	require.Equal(t, 2, der.Words(ref, []string{"1", "1", "2", "0", "0", "2"}).Wrong)
	// No words, no error.
	require.Zero(t, der.Words(nil, nil).WDER())
	// Lists of different length panic.
	require.Panics(t, func() { der.Words(ref, nil) })
	// Segments are split into words of 0.4 s; a remainder of at least 0.2 s is a word.
	require.Equal(t, []der.Segment{seg("A", 0, 0.4), seg("B", 0.3, 0.7), seg("A", 0.4, 0.8), seg("A", 0.8, 1)},
		der.SimulateWords([]der.Segment{seg("A", 0, 1), seg("B", 0.3, 0.8)}, 400*time.Millisecond))
}

// A second turn is one segment with the turns of its speaker that it touches; other turns stay as they are.
func TestFromOverlappingTurns(t *testing.T) {
	t.Parallel()
	turns := []transcript.Turn{
		{Start: 0, End: seconds(5)},
		{Start: seconds(4), End: seconds(5), Speaker: 1, Second: true},
		{Start: seconds(5), End: seconds(8), Speaker: 1},
		{Start: seconds(5), End: seconds(6), Second: true},
		{Start: seconds(6.5), End: seconds(7), Second: true},
		{Start: seconds(8), End: seconds(9), Speaker: 1},
	}
	require.Equal(t, []der.Segment{seg("0", 0, 6), seg("1", 4, 8), seg("0", 6.5, 7), seg("1", 8, 9)}, der.FromTurns(turns))
	// Two speakers at once, both right: only what nobody found is missing.
	s := der.DER([]der.Segment{seg("A", 0, 6), seg("B", 4, 9)}, der.FromTurns(turns), der.Options{})
	require.Equal(t, seconds(11), s.Total)
	require.Zero(t, s.Missed)
	require.Zero(t, s.Confusion)
	require.Equal(t, seconds(0.5), s.FalseAlarm)
}

func ExampleDER() {
	ref := []der.Segment{{Speaker: "Anna", End: 10 * time.Second}, {Speaker: "Ben", Start: 10 * time.Second, End: 20 * time.Second}}
	hyp := []der.Segment{{Speaker: "0", End: 11 * time.Second}, {Speaker: "1", Start: 11 * time.Second, End: 19 * time.Second}}
	s := der.DER(ref, hyp, der.Options{})
	fmt.Printf("%.0f%%: missed %v, confused %v\n", 100*s.DER(), s.Missed, s.Confusion)
	// Output: 10%: missed 1s, confused 1s
}
