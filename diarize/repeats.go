package diarize

import (
	"context"
	"slices"
)

const (
	repeatDistance = 15.0 // mean squared distance of the frames of two windows with the same sound; of other sounds, it is 44 or more
	repeatMeans    = 2.0  // times repeatDistance: largest squared distance of their means, from which frames that aren't loud are missing
	repeatShare    = 0.5  // a recording repeats itself if at least this share of its windows are repeats
)

// repeats returns, for each window of a recording that repeats itself, the first window with the same sound, which is itself for those
// that have no such predecessor. It returns nil for any other recording. Even if the repeats were encoded on their own, they are far closer
// to each other than the same words of the same speaker said again. Each part of a sentence would be a group of its own for clustering,
// since its repeats are its neighbours, and differs from the others more than voices do.
func repeats(ctx context.Context, f *frames, windows []span, moments []moment) ([]int, error) {
	first, means := make([]int, len(windows)), make([][coefficients]float64, len(windows))
	again, lag := 0, 0 // lag is that of the last repeat
	for i, w := range windows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		first[i], means[i] = i, moments[i].sum
		for k := range means[i] {
			means[i][k] /= moments[i].n
		}
		if before := (span{w.lo - lag, w.hi - lag}); lag > 0 && before.lo >= windows[0].lo && sameSound(f, w, before) {
			first[i] = first[at(windows[:i], before)]
			again++
			continue
		}
		for j := i - 1; j >= 0; j-- { // the last repeat is the most alike, as each begins at a slightly different part of a frame
			if near(&means[i], &means[j]) && sameSound(f, w, windows[j]) {
				first[i], lag = first[j], w.lo-windows[j].lo
				again++
				break
			}
		}
	}
	if float64(again) < repeatShare*float64(len(windows)) {
		return nil, nil
	}
	return first, nil
}

// at returns which of the windows begins closest to s.
func at(windows []span, s span) int {
	i, _ := slices.BinarySearchFunc(windows, s.lo, func(w span, lo int) int { return w.lo - lo })
	if i == len(windows) || i > 0 && s.lo-windows[i-1].lo < windows[i].lo-s.lo {
		i--
	}
	return i
}

// near returns whether two means are so close that the frames may have the same sound.
func near(a, b *[coefficients]float64) bool {
	sum := 0.0
	for k, v := range a {
		d := v - b[k]
		if sum += float64(d * d); sum > repeatMeans*repeatDistance {
			return false
		}
	}
	return true
}

// sameSound compares two windows frame by frame.
func sameSound(f *frames, a, b span) bool {
	n := min(a.len(), b.len())
	if max(a.len(), b.len()) > n+windowCore || a.lo < b.hi && b.lo < a.hi {
		return false
	}
	left := repeatDistance * float64(n)
	for i := range n {
		x, y := f.mfcc(a.lo+i), f.mfcc(b.lo+i)
		for k, step := range steps {
			d := float64(float64(int(x[k])-int(y[k])) * step)
			left -= float64(d * d)
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// repeat gives each of all windows the group of the first one with the same sound.
func (c *clustering) repeat(all []span, first []int) {
	const music = -1
	labels := make(map[span]int, len(all))
	for i, w := range c.windows {
		labels[w] = c.labels[i]
	}
	for _, w := range c.music {
		labels[w] = music
	}
	c.windows, c.labels, c.music = nil, nil, nil
	for i, w := range all {
		if label := labels[all[first[i]]]; label == music {
			c.music = append(c.music, w)
		} else {
			c.windows, c.labels = append(c.windows, w), append(c.labels, label)
		}
	}
}
