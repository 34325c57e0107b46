package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Short pauses are filled and short noises dropped, except silence at the ends.
func TestMend(t *testing.T) {
	t.Parallel()
	flags := func(s string) []bool {
		out := make([]bool, len(s))
		for i, c := range s {
			out[i] = c == '#'
		}
		return out
	}
	speech := flags("..###..###.....#")
	fillShortRuns(speech, true, 3)
	require.Equal(t, flags("..########.....#"), speech)
	fillShortRuns(speech, false, 3)
	require.Equal(t, flags("..########......"), speech)
	fillShortRuns(nil, true, 3)
}

// The Viterbi pass follows the frames if they agree for long enough, and ignores single frames.
func TestTwoStates(t *testing.T) {
	t.Parallel()
	gain := make([]float32, 60)
	for i := range gain {
		gain[i] = -1
		if i >= 20 && i < 40 {
			gain[i] = 1
		}
	}
	gain[5], gain[30] = 1, -1
	speech := make([]bool, len(gain))
	viterbiSpeech(speech, gain)
	for i, s := range speech {
		require.Equal(t, i >= 20 && i < 40, s, "frame %d", i)
	}
}

// A mixture gives points of its own distribution a higher likelihood than another mixture does.
func TestTrain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	cloud := func(at float64) []float64 {
		rows := make([]float64, 600)
		for i := range rows {
			rows[i] = rng.NormFloat64() + at*float64(1-2*(i/2%2)) // two bumps, at ±at
		}
		return rows
	}
	near, err := train(context.Background(), cloud(1), 2, 4)
	require.NoError(t, err)
	far, err := train(context.Background(), cloud(6), 2, 4)
	require.NoError(t, err)
	require.Greater(t, near.score([]float64{1, 1}), far.score([]float64{1, 1}))
	require.Greater(t, far.score([]float64{-6, -6}), near.score([]float64{-6, -6}))
	// Identical rows do no harm.
	same, err := train(context.Background(), make([]float64, 200), 2, 4)
	require.NoError(t, err)
	require.False(t, math.IsNaN(same.score([]float64{0, 0})))
}

// The score of a component is its weighted log density, also of those that don't fill up four.
func TestScoresOfFours(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	for _, count := range []int{1, 4, 6, 16} {
		parts, x := make([]gaussian, count), []float64{0.5, -1.5}
		want := make([]float64, count)
		total := 0.0
		for i := range parts {
			weight, mean, variance := rng.Float64(), []float64{rng.NormFloat64(), rng.NormFloat64()}, []float64{rng.Float64() + 0.1, rng.Float64() + 0.1}
			parts[i].set(weight, mean, variance)
			density := weight
			for k := range x {
				density *= math.Exp(-(x[k]-mean[k])*(x[k]-mean[k])/2/variance[k]) / math.Sqrt(2*math.Pi*variance[k])
			}
			want[i] = math.Log(density)
			total += density
		}
		old := arrange(nil, parts[:1])
		fours := arrange(old, parts)
		require.Len(t, fours, (count+3)/4)
		for i := range 4 * len(fours) {
			var four quad
			fours[i/4].score(&four, x)
			if i < count {
				require.InDelta(t, want[i], four[i%4], 1e-12)
			} else {
				require.True(t, math.IsInf(four[i%4], -1))
			}
		}
		m := mixture{count, fours}
		require.InDelta(t, math.Log(total), m.score(x), 1e-7)
	}
}

// Average linkage merges the most similar first, and the tree can be cut into any number of groups.
func TestAverageLinkage(t *testing.T) {
	t.Parallel()
	at := []float32{0, 10, 1, 11, 30, 0.5}
	similarity := make([][]float32, len(at))
	for i := range at {
		similarity[i] = make([]float32, len(at))
		for j := range at {
			similarity[i][j] = -max(at[i]-at[j], at[j]-at[i])
		}
	}
	tree, err := averageLinkage(context.Background(), similarity)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 0, 1, 2, 0}, cutTree(tree, len(at), 3))
	require.Equal(t, []int{0, 0, 0, 0, 1, 0}, cutTree(tree, len(at), 2))
	require.Equal(t, []int{0, 0, 0, 0, 0, 0}, cutTree(tree, len(at), 1))
	require.Equal(t, []int{0, 1, 2, 3, 4, 5}, cutTree(tree, len(at), 6))
}

// On a tie, the two that are already each other's nearest are merged.
func TestAverageLinkageOfTies(t *testing.T) {
	t.Parallel()
	tree, err := averageLinkage(context.Background(), [][]float32{{9, 1, 5}, {1, 9, 5}, {5, 5, 9}})
	require.NoError(t, err)
	require.Equal(t, []merge{{0, 2, 5}, {0, 1, 3}}, tree)
}

// Short runs of speech are windows only if there are fewer than two others.
func TestCutWindows(t *testing.T) {
	t.Parallel()
	f := &frames{}
	for range 400 {
		f.add(make([]float64, coefficients), -20)
		*f.flags(f.n - 1) |= isSpeech | isCore
	}
	require.Equal(t, []span{{0, 150}, {50, 200}}, cutWindows(f, []span{{0, 200}, {300, 330}}))
	require.Equal(t, []span{{0, 60}, {100, 130}}, cutWindows(f, []span{{0, 60}, {100, 130}, {200, 219}}))
	require.Equal(t, []span{{0, 150}, {75, 225}, {76, 226}}, cutWindows(f, []span{{0, 226}}))
}

// A speaker whose frames are like another's loses them, unless the number of speakers is prescribed.
func TestResegmentKeeps(t *testing.T) {
	t.Parallel()
	for keep, want := range map[bool]int{false: 1, true: 2} {
		f := &frames{}
		for i := range 600 {
			mfcc := make([]float64, coefficients)
			for k := range mfcc {
				mfcc[k] = steps[k] * float64((i%10)*(k+1)%7)
			}
			f.add(mfcc, -20)
			*f.flags(i) |= isSpeech | isCore
			*f.who(i) = 0
			if i >= 300 && i < 330 {
				*f.who(i) = 1
			}
		}
		_, err := resegment(context.Background(), f, []span{{0, f.n}}, found{speakers: 2}, keep, func(float64) {})
		require.NoError(t, err)
		left := map[uint8]bool{}
		for i := range f.n {
			left[*f.who(i)] = true
		}
		require.Len(t, left, want, "keep: %t", keep)
	}
}

// A speaker of a few seconds in minutes is dropped; a short recording may have short speakers.
func TestDropGhosts(t *testing.T) {
	t.Parallel()
	for minutes, want := range map[int]bool{2: false, 1: true} {
		f := &frames{}
		for i := range minutes * 6000 {
			f.add(make([]float64, coefficients), -20)
			*f.flags(i) |= isSpeech
			*f.who(i) = 0
			if i < 300 {
				*f.who(i) = 1
			}
		}
		voices := []*mixture{{}, {}}
		f.dropGhosts(voices)
		require.NotNil(t, voices[0])
		require.Equal(t, want, voices[1] != nil, "%d min", minutes)
	}
}

// A group with a high score is music. A small group is music with a lower score, too, but not if the group most like speech scores nearly as
// much, and with an even lower one if it is far from the others. Where most was music, less is enough for all.
func TestMusicGroups(t *testing.T) {
	t.Parallel()
	type group struct {
		score    float64
		windows  int
		distance float64 // from the others
	}
	sort := func(groups ...group) (labels []int, tunes []tune, moments []moment) {
		rng := rand.New(rand.NewPCG(1, 2))
		for i, g := range groups {
			for range g.windows {
				x, m := tune{windows: 1}, moment{}
				x.sums[0] = (g.score - x.score()) / tuneWeights[0]
				for range 1000 / g.windows {
					var c [coefficients]float64
					for k := range c {
						c[k] = rng.NormFloat64() + g.distance
					}
					m.frame(&c)
				}
				labels, tunes, moments = append(labels, i), append(tunes, x), append(moments, m)
			}
		}
		return labels, tunes, moments
	}
	for name, c := range map[string]struct {
		clear    float64
		speakers int // known, or 0
		groups   []group
		want     []bool
	}{
		"only music":                           {clearTune, 0, []group{{3, 60, 0}}, []bool{true}},
		"a voice":                              {clearTune, 0, []group{{1, 10, 0}}, []bool{false}},
		"voices in a room":                     {clearTune, 0, []group{{-1, 40, 0}, {1, 40, 0.5}, {1.5, 40, 1}}, []bool{false, false, false}},
		"a jingle":                             {clearTune, 0, []group{{0.8, 10, 0}, {-4, 60, 0.5}}, []bool{true, false}},
		"a jingle that sounds like voices":     {clearTune, 0, []group{{0, 10, 0}, {-4, 60, 0.5}}, []bool{false, false}},
		"a jingle unlike all voices":           {clearTune, 0, []group{{0, 10, 30}, {-4, 60, 0.5}}, []bool{true, false}},
		"a guest on the telephone":             {clearTune, 0, []group{{-1, 40, 30}, {-7, 60, 0.5}}, []bool{false, false}},
		"a voice over music":                   {clearTune, 0, []group{{2, 70, 0}, {-4, 60, 0.5}}, []bool{false, false}},
		"a voice over music elsewhere":         {clearTune, 0, []group{{0.6, 63, 30}, {-3, 56, 0.5}}, []bool{false, false}},
		"a song":                               {clearTune, 0, []group{{3, 70, 0}, {-4, 60, 0.5}}, []bool{true, false}},
		"a song on the telephone":              {clearTune, 0, []group{{2, 70, 0}, {-9, 60, 0.5}}, []bool{true, false}},
		"the rest of music":                    {restTune, 0, []group{{1.5, 70, 0}, {-4, 60, 0.5}}, []bool{true, false}},
		"two groups of music that are similar": {clearTune, 0, []group{{0.8, 10, 0}, {0.9, 10, 0.5}, {-4, 60, 1}}, []bool{true, true, false}},
		"one group too many":                   {clearTune, 2, []group{{-5, 60, 0}, {-0.5, 20, 0.5}, {-4, 60, 1}}, []bool{false, true, false}},
		"the groups most like music":           {clearTune, 2, []group{{-5, 60, 0}, {-0.5, 20, 0.5}, {0.2, 24, 1}, {0.4, 20, 0.7}, {-4, 60, 1}}, []bool{false, true, true, true, false}},
		"one of two groups":                    {clearTune, 3, []group{{-5, 60, 0}, {-0.5, 20, 0.5}, {0, 20, 1}, {-4, 60, 1.5}}, []bool{false, false, true, false}},
		"a group too many, like the voices":    {clearTune, 1, []group{{-2, 60, 0}, {-0.5, 20, 0.5}}, []bool{false, false}},
		"a large group too many":               {clearTune, 1, []group{{-5, 60, 0}, {0.2, 34, 0.5}}, []bool{false, false}},
		"music, and a group too many":          {clearTune, 1, []group{{-5, 60, 0}, {-0.5, 20, 0.5}, {3, 20, 1}}, []bool{false, false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			labels, tunes, moments := sort(c.groups...)
			require.Equal(t, c.want, musicGroups(labels, tunes, moments, len(c.groups), c.speakers, c.clear))
		})
	}
}

// The sliding mean is that of the frames around, fewer at the ends.
func TestSlidingMean(t *testing.T) {
	t.Parallel()
	f := &frames{}
	for i := range 20 {
		f.add([]float64{0.8 * float64(i)}, -20)
	}
	m := slidingMean{f: f, reach: 2}
	var x [coefficients]float64
	for i, want := range []float64{1, 1.5, 2, 3, 4} {
		m.at(x[:], i)
		require.InDelta(t, 0.8*want, x[0], 1e-9, "frame %d", i)
	}
	m = slidingMean{f: f, reach: 2}
	m.at(x[:], 19)
	require.InDelta(t, 0.8*18, x[0], 1e-9)
}

// Windows are sorted by similarity, which may be negative, and by number where it is the same.
func TestNearestFirst(t *testing.T) {
	t.Parallel()
	row := []float32{0.25, -0.5, 1, 0, 0.25, float32(math.Copysign(0, -1)), -1}
	want := []int32{2, 0, 4, 3, 5, 1, 6}
	for _, order := range nearestFirst([][]float32{row, row, row, row, row, row, row}) {
		require.Equal(t, want, order)
	}
}

// Spectral clustering separates two rings, which k-means on the points can't.
func TestSpectralSeparatesRings(t *testing.T) {
	t.Parallel()
	const n = 120
	similarity := make([][]float32, n)
	point := func(i int) (x, y float64) {
		r, a := 1+3*float64(i%2), 2*math.Pi*float64(i)/n
		return r * math.Cos(a), r * math.Sin(a)
	}
	for i := range similarity {
		similarity[i] = make([]float32, n)
		for j := range similarity[i] {
			xi, yi := point(i)
			xj, yj := point(j)
			similarity[i][j] = float32(math.Exp(-4 * math.Hypot(xi-xj, yi-yj)))
		}
	}
	rng := rand.NewPCG(1, 1)
	points, err := neighbourGraph(similarity, nearestFirst(similarity), 0.03).embed(context.Background(), 2, rng)
	require.NoError(t, err)
	labels := clusterPoints(points, 2, rng)
	for i, l := range labels {
		require.Equal(t, labels[i%2], l, "point %d", i)
	}
	require.NotEqual(t, labels[0], labels[1])
}

// momentAround returns the moment of n frames around a mean.
func momentAround(rng *rand.Rand, n int, mean float64) *moment {
	m := &moment{n: float64(n), windows: 1}
	for range n {
		var x [coefficients]float64
		for k := range x {
			x[k] = mean + rng.NormFloat64()
		}
		i := 0
		for r, v := range x {
			m.sum[r] += v
			for _, w := range x[:r+1] {
				m.square[i] += v * w
				i++
			}
		}
	}
	m.close()
	return m
}

// Separation is high between different voices and negative between halves of one, whatever the length.
func TestSeparation(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{2000, 5000} {
		a, b, c := momentAround(rng, n, 0), momentAround(rng, 2*n, 0), momentAround(rng, n, 1)
		require.Less(t, separation(a, b), 0.0)
		require.Greater(t, separation(a, c), 0.9)
		require.InDelta(t, separation(a, c), separation(c, a), 1e-9)
	}
	// Seconds of a voice that happen to be unlike the rest are less separate than minutes.
	most := momentAround(rng, 20000, 0)
	require.Less(t, separation(most, momentAround(rng, 500, 1)), separation(most, momentAround(rng, 5000, 1))-1)
	// A group of identical frames does no harm.
	still := &moment{n: 100}
	still.close()
	require.False(t, math.IsNaN(separation(still, momentAround(rng, 500, 0))))
}

// The number of speakers is where the separation drops. A hint helps among several speakers, but doesn't split one.
func TestCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim       string
		separations []float64 // for 2, 3, … speakers
		config      Config
		want        int
		frames      float64 // loud ones
	}{
		{"one voice", []float64{1.5, 1.4, 1.2}, Config{}, 1, 0},
		{"two clear voices", []float64{6, 1.6, 1.5}, Config{}, 2, 0},
		{"four voices in a room", []float64{3.2, 2.9, 2.6, 1.4, 1.5}, Config{}, 4, 0},
		{"nothing to choose from", nil, Config{}, 1, 0},
		{"a hint of two doesn't split one voice", []float64{1.65, 1.4, 1.2}, Config{Expected: 2}, 1, 0},
		{"a hint of one doesn't hide a clear second voice", []float64{6, 1.6}, Config{Expected: 1}, 2, 0},
		{"a hint helps if several numbers are plausible", []float64{5, 2.6, 1.7, 1.3}, Config{Expected: 3}, 3, 0},
		{"without a hint the larger drop wins", []float64{5, 2.6, 1.7, 1.3}, Config{}, 2, 0},
		{"without a hint, two voices in doubt are two", []float64{2.2}, Config{}, 2, 0},
		{"a hint of one hides a second voice in doubt", []float64{2.2}, Config{Expected: 1}, 1, 0},
		{"without a hint, one voice in doubt is one", []float64{2.0}, Config{}, 1, 0},
		{"a hint of two finds a second voice in doubt", []float64{2.0}, Config{Expected: 2}, 2, 0},
		{"an implausible hint is ignored", []float64{6, 1.2}, Config{Expected: 3}, 2, 0},
		{"a voice unlike all others doesn't hide the rest", []float64{9, 8.5, 3.5, 1.4, 1.2}, Config{}, 4, 0},
		{"one voice that turns away from the microphone", []float64{2.12, 0.9}, Config{}, 1, 0},
		{"what sounds most unlike itself in a voice isn't another", []float64{1.9, 1.7, 1.5, 1.4}, Config{}, 1, 0},
		{"at most", []float64{3.2, 2.9, 2.6, 1.4}, Config{MaxSpeakers: 3}, 3, 0},
		{"at least", []float64{1.5, 1.4, 1.2}, Config{MinSpeakers: 3}, 3, 0},
		{"exactly", []float64{6, 1.6, 1.5}, Config{Speakers: 4}, 4, 0},
		{"more than there is speech for", []float64{6, 1.6}, Config{Speakers: 9}, 3, 0},
		{"parts of a voice that says much aren't voices", []float64{5.8, 5.1, 4.6, 3.7, 2.2, 1.1}, Config{}, 5, 40000},
		{"voices that say little may be as alike", []float64{5.8, 5.1, 4.6, 3.7, 2.2, 1.1}, Config{}, 6, 15000},
		{"parts of a voice in a hall, of which two are less apart than voices", []float64{2.23, 2.17, 1.74, 1.1}, Config{}, 1, 8800},
		{"a part of a voice among voices that say almost much", []float64{6.1, 6.1, 3.7, 2.04, 0.4}, Config{}, 4, 13800},
		{"voices that are all as alike, after a codec", []float64{2.46, 2.29, 2.25, 1.24}, Config{}, 4, 28000},
		{"parts of a voice are less and less apart", []float64{2.29, 2.1, 1.9, 1.24}, Config{}, 1, 28000},
		{"two voices, and a part of one", []float64{3.4, 2.2, 1.1}, Config{}, 2, 40000},
		{"a hint finds a voice in doubt that says much", []float64{3.4, 2.2, 1.1}, Config{Expected: 3}, 3, 40000},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			all := []candidate{{labels: []int{}, separation: soloSeparation}}
			for _, s := range c.separations {
				all = append(all, candidate{labels: []int{}, separation: s})
			}
			config, err := c.config.withDefaults()
			require.NoError(t, err)
			require.Equal(t, c.want, count(all, &moment{n: c.frames}, config))
		})
	}
}

// Among voices that say little, parts of one that says much need as much separation as voices that say much.
func TestCountPartsAmongShortVoices(t *testing.T) {
	t.Parallel()
	found := func(pair float64) int {
		config, err := Config{}.withDefaults()
		require.NoError(t, err)
		c := []candidate{{labels: []int{}, separation: soloSeparation}}
		for _, s := range []float64{5.5, 5.4, 4.4, 2.2, 1.2} {
			c = append(c, candidate{labels: []int{}, separation: s, pair: 1500})
		}
		c[4].pair = pair
		return count(c, &moment{n: 10000}, config)
	}
	require.Equal(t, 5, found(1500))
	require.Equal(t, 4, found(4000))
}

// If the number is known, one more group must be clearly apart, as a jingle is.
func TestCountBeyondAKnownNumber(t *testing.T) {
	t.Parallel()
	c := Config{Speakers: 2, MinSpeakers: 2, MaxSpeakers: 16}
	separated := func(third float64) []candidate {
		return []candidate{{labels: []int{}, separation: soloSeparation}, {labels: []int{}, separation: 3}, {labels: []int{}, separation: third}, {labels: []int{}, separation: 0.3}}
	}
	require.Equal(t, 2, count(separated(2), &moment{n: 3000}, c))
	require.Equal(t, 3, count(separated(2.4), &moment{n: 3000}, c))
}

// Where little is said, two groups are further apart if all changes between them are at pauses.
func TestFavourTurns(t *testing.T) {
	t.Parallel()
	turns := slices.Concat(slices.Repeat([]int{0}, 12), slices.Repeat([]int{1}, 12))
	within := slices.Concat(slices.Repeat([]int{0}, 11), slices.Repeat([]int{1}, 13))
	for _, c := range []struct {
		claim  string
		labels []int
		step   int     // frames between windows
		frames float64 // loud ones in each window
		want   float64
	}{
		{"whole turns", turns, windowStep, 130, math.Log(2 * heardFrames / (24 * 130.0))},
		{"very little speech", turns, windowStep, 50, turnBonus},
		{"a change within a turn", within, windowStep, 130, 0},
		{"much speech", turns, windowStep, 300, 0},
		{"no window in the same turn as another", turns, windowFrames, 130, 0},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			o := new(observed)
			for i := range 24 {
				lo := i * c.step
				if i >= 12 {
					lo += windowFrames
				}
				o.windows = append(o.windows, span{lo, lo + windowFrames})
			}
			found := []candidate{{labels: make([]int, 24), separation: soloSeparation}, {labels: c.labels, separation: 1}, {labels: nil, separation: math.Inf(-1)}}
			o.favourTurns(found, 24*c.frames)
			require.Equal(t, soloSeparation, found[0].separation)
			require.InDelta(t, 1+c.want, found[1].separation, 1e-9)
			require.Equal(t, math.Inf(-1), found[2].separation)
		})
	}
}

// The search for more speakers ends after a few implausible numbers, unless all are wanted. A cancellation ends it too.
func TestCandidates(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	const windows, voices = 60, 3
	var vectors [][]float64
	var moments []moment
	for i := range windows {
		v := []float64{0.1, 0.1, 0.1}
		v[i%voices] = 1
		unit(v)
		vectors = append(vectors, v)
		moments = append(moments, *momentAround(rng, 100, 2*float64(i%voices)))
	}
	found, err := candidates(context.Background(), vectors, moments, 12, false, 0)
	require.NoError(t, err)
	last := 0
	for k, c := range found {
		if c.separation >= speakerSeparation {
			last = k
		}
	}
	require.GreaterOrEqual(t, last, voices-1)
	require.Len(t, found, last+1+maxImplausible)
	for i, l := range found[voices-1].labels {
		require.Equal(t, found[voices-1].labels[i%voices], l, "window %d", i)
	}
	all, err := candidates(context.Background(), vectors, moments, 12, true, 0)
	require.NoError(t, err)
	require.Len(t, all, 12)
	one, err := candidates(context.Background(), vectors[:1], moments[:1], 12, true, 0)
	require.NoError(t, err)
	require.Equal(t, []candidate{{labels: []int{0}, separation: soloSeparation}}, one)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = candidates(ctx, vectors, moments, 12, true, 0)
	require.ErrorIs(t, err, context.Canceled)
}

// Of few groups, the two that are least apart must be as far apart as possible. Of many, it is enough if they are clearly apart, and the
// grouping wins that makes the frames likelier.
func TestBestGrouping(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	var moments []moment
	for _, voice := range []struct {
		windows int
		mean    float64
	}{{20, 0}, {20, 1.2}, {5, 4}} {
		for range voice.windows {
			moments = append(moments, *momentAround(rng, 400, voice.mean))
		}
	}
	outlier, voices := make([]int, len(moments)), make([]int, len(moments))
	for i := range moments {
		if i >= 40 {
			outlier[i] = 1
		}
		if i >= 20 {
			voices[i] = 1
		}
	}
	both := [][]int{outlier, voices}
	few, many := bestGrouping(both, moments, 2, 400, false), bestGrouping(both, moments, 2, 400, true)
	require.Equal(t, outlier, few.labels)
	require.Equal(t, voices, many.labels)
	require.Greater(t, few.separation, many.separation)
	require.Greater(t, many.separation, clearlyApart)
	require.InDelta(t, 400*45/2, few.pair, 0.1)

	require.Equal(t, voices, bestGrouping(both, moments, 2, 400*5+1, false).labels, "a group of fewer frames is no voice")
	require.Nil(t, bestGrouping(both, moments, 2, 400*20+1, true).labels)
}

// Among eight voices whose windows are hard to tell apart, joined groups leave 129 of 1,920 windows in the group of another voice. Without
// them, it is 158.
func TestCandidatesOfManyVoices(t *testing.T) {
	t.Parallel()
	const windows, voices = 160, 8
	wrong := 0
	for seed := range uint64(12) {
		o := observedVoices(seed, voices, windows, 0.8, 0.5)
		found, err := candidates(context.Background(), o.vectors, o.moments, voices, true, voices)
		require.NoError(t, err)
		wrong += wrongWindows(found[voices-1].labels, voices)
	}
	require.LessOrEqual(t, wrong, 140)
}

// If many voices are found, they are counted again with joined groups, which have the windows of one voice each. Without them, eight groups are
// found, and 61 of 140 windows are in that of another voice.
func TestManyVoicesAreCountedAgain(t *testing.T) {
	t.Parallel()
	c, err := Config{}.withDefaults()
	require.NoError(t, err)
	out, err := observedVoices(5, 14, 140, 0.4, 1.5).cluster(context.Background(), nil, false, c, false)
	require.NoError(t, err)
	require.Len(t, out.groups, 14)
	require.Zero(t, wrongWindows(out.labels, 14))
}

// observedVoices returns windows of voices in turn. Vectors of a voice scatter around its own by that much, and the coefficients of voices
// are that far from those of the next one.
func observedVoices(seed uint64, voices, windows int, scatter, apart float64) *observed {
	const dimensions = 12
	rng := rand.New(rand.NewPCG(seed, 9))
	around := func(mean []float64, scale float64) []float64 {
		v := make([]float64, dimensions)
		for i := range v {
			v[i] = mean[i] + scale*rng.NormFloat64()
		}
		return v
	}
	var means [][]float64
	for range voices {
		means = append(means, around(make([]float64, dimensions), 1))
	}
	o := &observed{tunes: make([]tune, windows)}
	for i := range windows {
		v := around(means[i%voices], scatter)
		unit(v)
		o.vectors = append(o.vectors, v)
		o.moments = append(o.moments, *momentAround(rng, 100, apart*float64(i%voices)))
		o.windows = append(o.windows, span{300 * i, 300*i + 150})
	}
	return o
}

// wrongWindows returns how many windows of voices in turn are in a group with more of another voice.
func wrongWindows(labels []int, voices int) int {
	of := make([][]int, slices.Max(labels)+1) // windows of each group, by voice
	for i, l := range labels {
		if of[l] == nil {
			of[l] = make([]int, voices)
		}
		of[l][i%voices]++
	}
	wrong := len(labels)
	for _, group := range of {
		wrong -= slices.Max(group)
	}
	return wrong
}

// Groups that are close together are joined until as few are left as wanted. A grouping with an empty group isn't used.
func TestJoinTo(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	var moments []moment
	var labels, want []int
	for i := range 40 {
		part := i % 4 // two voices have two parts each
		moments = append(moments, *momentAround(rng, 400, []float64{0, 3, 0.2, 3.2}[part]))
		labels, want = append(labels, part), append(want, part%2)
	}
	joined, err := joinTo(context.Background(), 2, labels, moments, 4)
	require.NoError(t, err)
	require.Equal(t, want, joined)
	joined, err = joinTo(context.Background(), 2, labels, moments, 5)
	require.NoError(t, err)
	require.Nil(t, joined, "of five groups, one is empty")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = joinTo(ctx, 2, labels, moments, 4)
	require.ErrorIs(t, err, context.Canceled)
}

// Too many speakers of several blocks become as many as are known: a speaker who says little joins the nearest one, though two who say much are
// less apart, but not if those are alike.
func TestTooManySpeakersJoin(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		means        []float64
		n            []int
		labels, want []int
	}{
		{[]float64{0, 2, 6, 0}, []int{8000, 8000, 500, 8000}, []int{0, 1, 2, 0}, []int{0, 1, 1, 0}},
		{[]float64{0, 0.05, 6, 3}, []int{8000, 8000, 500, 8000}, []int{0, 1, 2, 3}, []int{0, 0, 1, 2}},
		{[]float64{0, 2, 6, 0}, []int{8000, 8000, 500, 8000}, []int{0, 1, 1, 0}, []int{0, 1, 1, 0}},
	} {
		to := slices.Max(c.want) + 1
		g := grouping{labels: slices.Clone(c.labels), speakers: slices.Max(c.labels) + 1}
		for i, m := range c.means {
			g.groups = append(g.groups, momentAround(rng, c.n[i], m))
		}
		require.NoError(t, g.joinTo(context.Background(), to))
		require.Equal(t, to, g.speakers)
		require.Equal(t, c.want, g.labels, "means %v", c.means)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := grouping{labels: []int{0, 1}, speakers: 2}
	require.ErrorIs(t, g.joinTo(ctx, 1), context.Canceled)
}

// Voices that are too alike for two become one, and so do all groups that are known to be one of them.
func TestJoinAlike(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		means        []float64
		labels, want []int
	}{
		{[]float64{0, 3, 0.2, 3}, []int{0, 1, 2, 3}, []int{0, 1, 0, 1}},
		{[]float64{0, 0.2, 3}, []int{0, 1, 1}, []int{0, 0, 0}},
		{[]float64{0, 3, 6}, []int{0, 1, 2}, []int{0, 1, 2}},
	} {
		voices := make([]masked, len(c.means))
		for i, m := range c.means {
			voices[i].all = *momentAround(rng, 4000, m)
		}
		m, err := newMasks(context.Background(), nil, voices)
		require.NoError(t, err)
		m.joinAlike(c.labels)
		require.Equal(t, c.want, c.labels, "means %v", c.means)
	}
}

// A speaker who takes several times as many frames in the first round is none, and the others get their frames back.
func TestDropGrown(t *testing.T) {
	t.Parallel()
	f := &frames{}
	for range 100 {
		f.add(make([]float64, coefficients), -20)
	}
	before := make([]uint8, 100)
	for i := range before {
		*f.flags(i) |= isSpeech
		if before[i] = 0; i >= 90 {
			before[i] = 1
		}
	}
	give := func(n int) {
		for i := range before {
			if *f.who(i) = 0; i >= 100-n {
				*f.who(i) = 1
			}
		}
	}
	give(20)
	require.False(t, f.dropGrown(before, 2), "twice as many")
	give(21)
	require.True(t, f.dropGrown(before, 2))
	for i := range before {
		want := uint8(0)
		if i >= 90 {
			want = noSpeaker
		}
		require.Equal(t, want, *f.who(i), "frame %d", i)
	}
}

// In noise, a voice that says little must be almost the same with the noise added. Over music, and if it says more, it may differ.
func TestSameVoice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now, before, n float64
		music, want    bool
	}{
		{0.9, 3, maskedFrames - 1, false, false},
		{0.9, 3, maskedFrames, false, true},
		{1.1, 3, maskedFrames, false, false},
		{1.1, 3, enoughFrames, false, false},
		{1.6, 3, heardFrames - 1, false, false},
		{1.6, 3, heardFrames, false, true},
		{2.3, 9, heardFrames, false, false},
		{2.3, 9, enoughFrames, true, true},
		{3.1, 9, enoughFrames, true, false},
		{2.3, 3, heardFrames, true, false}, // the background explains too little
	} {
		require.Equal(t, c.want, sameVoice(c.now, c.before, c.n, c.music), "%+v", c)
	}
}

// Of several blocks, a voice over music is the one without it that fits best, though other voices fit a little, or though it is further away
// than two voices may be, if all others are much further. Two voices don't become one because a third is like both.
func TestJoinMasked(t *testing.T) {
	t.Parallel()
	const far = 9.0
	matrix := func(n int) (m [][]float64) {
		for range n {
			m = append(m, slices.Repeat([]float64{far}, n))
		}
		return m
	}
	newVoices := func(quiet, loud int) *masks {
		m := &masks{voices: make([]masked, quiet+loud), apart: matrix(quiet + loud), with: matrix(quiet + loud), frames: matrix(quiet + loud)}
		for i := range m.voices {
			m.voices[i].all.n = enoughFrames
			m.apart[i][i] = 0
			if i >= quiet {
				m.voices[i].background, m.voices[i].music = 10, true
			}
			for j := range m.voices {
				m.frames[i][j] = enoughFrames
				if i >= quiet || j < quiet {
					m.with[i][j] = math.Inf(1)
				}
			}
		}
		return m
	}
	apart := func(m *masks, i, j int, now, before float64) {
		m.with[i][j], m.apart[i][j], m.apart[j][i] = now, before, before
	}
	m := newVoices(3, 3)
	for i := range 3 {
		apart(m, i, 3+i, 2.5, 4.5)
	}
	require.Equal(t, []int{0, 1, 2, 0, 1, 2}, m.join(true), "each over music, too")
	require.Equal(t, []int{0, 1, 2, 0, 1, 2}, m.join(false), "each over music, too")
	apart(m, 0, 3, 3.5, 4.5)
	require.Equal(t, []int{0, 1, 2, 0, 1, 2}, m.join(true), "one is far from itself over music, but nearest by far")
	require.Equal(t, []int{0, 1, 2, 3, 1, 2}, m.join(false), "one block isn't enough for that")
	apart(m, 0, 3, 3.5, 4)
	require.Equal(t, []int{0, 1, 2, 3, 1, 2}, m.join(true), "the music explains too little of what differs")
	apart(m, 0, 3, 3.5, 4.5)
	apart(m, 0, 4, 5, 6)
	require.Equal(t, []int{0, 1, 2, 3, 1, 2}, m.join(true), "another one is almost as near")
	m = newVoices(2, 2)
	apart(m, 0, 2, 3.5, 4.5)
	apart(m, 1, 3, 3.5, 4.5)
	require.Equal(t, []int{0, 1, 2, 3}, m.join(true), "one other voice is too few to compare with")
	m = newVoices(2, 1)
	apart(m, 0, 2, 2, 3.5)
	apart(m, 1, 2, 2.1, 3.5)
	require.Equal(t, []int{0, 1, 0}, m.join(true), "a mixture of two")
	m.apart[0][1], m.apart[1][0] = 1.7, 1.7
	require.Equal(t, []int{0, 0, 0}, m.join(true), "two parts of a voice, and both over music")
	m = newVoices(1, 2)
	apart(m, 0, 1, 1, 3)
	apart(m, 0, 2, 1.2, 3)
	m.apart[1][2], m.apart[2][1] = 1, 1
	require.Equal(t, []int{0, 0, 0}, m.join(true), "two parts over music")
}

// A frame's level and coefficients are stored in steps and within limits, also in the next chunk.
func TestFrames(t *testing.T) {
	t.Parallel()
	f := &frames{}
	for i := range chunkFrames + 1 {
		mfcc := make([]float64, coefficients)
		mfcc[0], mfcc[1], mfcc[2] = 0.8*float64(i%100), 1e6, -1e6
		f.add(mfcc, float64(i%60)-60+0.2)
	}
	for _, i := range []int{0, 1, 99, chunkFrames - 1, chunkFrames} {
		require.InDelta(t, float64(i%60)-60, f.level(i), 0, "frame %d", i)
		var x [3]float64
		f.cepstrum(x[:], i)
		require.InDeltaSlice(t, []float64{0.8 * float64(i%100), 127 * steps[1], -127 * steps[2]}, x[:], 1e-9, "frame %d", i)
		require.Equal(t, uint8(noSpeaker), *f.who(i))
		require.False(t, f.speech(i))
	}
	silent, loud := &frames{}, &frames{}
	silent.add(nil, -500)
	loud.add(nil, 500)
	require.InDelta(t, -120, silent.level(0), 0)
	require.InDelta(t, 7.5, loud.level(0), 0)

	// The slope of a line is its step, and half as much or less at the ends of a span.
	var x [1]float64
	f.deltas(x[:], 50, span{0, 100})
	require.InDelta(t, 0.8, x[0], 1e-9)
	f.deltas(x[:], 50, span{50, 100})
	require.InDelta(t, 0.8*(2*2+1)/10, x[0], 1e-9)
	f.deltas(x[:], 50, span{0, 51})
	require.InDelta(t, 0.8*(2*2+1)/10, x[0], 1e-9)

	for _, s := range []span{{2, 5}, {5, 6}, {9, 12}} {
		for i := s.lo; i < s.hi; i++ {
			*f.flags(i) |= isSpeech
		}
	}
	require.Equal(t, []span{{2, 6}, {9, 12}}, f.runs(span{0, 20}))
	require.Equal(t, []span{{3, 6}, {9, 10}}, f.runs(span{3, 10}))
}

// Blocks cover the recording without gaps and have about equal length; groups of different blocks are matched.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, blockFrames, blockFrames + 1, 10 * 360000} {
		at := 0
		for _, b := range splitBlocks(n) {
			require.Equal(t, at, b.lo)
			require.True(t, b.len() > 0 && b.len() <= blockFrames)
			at = b.hi
		}
		require.Equal(t, n, at)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	groups := []*moment{momentAround(rng, 9000, 0), momentAround(rng, 7000, 1), momentAround(rng, 8000, 1), momentAround(rng, 6000, 0),
		momentAround(rng, 5000, 2.5)}
	config, err := Config{}.withDefaults()
	require.NoError(t, err)
	speakers, labels, err := match(context.Background(), groups, config)
	require.NoError(t, err)
	require.Equal(t, 3, speakers)
	require.Equal(t, []int{0, 1, 1, 0, 2}, labels)
}

// A small group joins the voice that it is least unlike, unless it is far from all; it doesn't hide how many voices there are. An exact
// number is that of the large groups.
func TestMatch(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	groups := []*moment{momentAround(rng, 9000, 0), momentAround(rng, 1500, 0.3), momentAround(rng, 7000, 1), momentAround(rng, 8000, 1),
		momentAround(rng, 6000, 0), momentAround(rng, 3000, 30)}
	for _, c := range []struct {
		config Config
		want   []int
	}{
		{Config{}, []int{0, 0, 1, 1, 0, 2}},
		{Config{MaxSpeakers: 2}, []int{0, 0, 1, 1, 0, 1}},
		{Config{Speakers: 2}, []int{0, 0, 1, 1, 0, 1}},
		{Config{Speakers: 1}, []int{0, 0, 0, 0, 0, 0}},
		{Config{MinSpeakers: 5}, []int{0, 1, 2, 3, 1, 4}},
	} {
		config, err := c.config.withDefaults()
		require.NoError(t, err)
		speakers, labels, err := match(context.Background(), groups, config)
		require.NoError(t, err)
		require.Equal(t, c.want, labels, "%+v", c.config)
		require.Equal(t, slices.Max(c.want)+1, speakers)
	}
}
