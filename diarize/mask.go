package diarize

import (
	"context"
	"math"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	maskRows         = 2000 // most frames of a voice to which a background is added
	maskLeast        = 50   // frames of a background; with fewer, it isn't known
	maskNear         = 30   // frames before and after a window in which its background is looked for, since scenes may be short, …
	maskFar          = 300  // … or this many, if there are too few
	maskWindows      = 100  // most windows for that
	louderBackground = 3.0  // dB; a smaller difference doesn't matter
	maskMore         = 4    // of a known number of speakers, at most this many more groups are tried
	mostlyBed        = 0.5  // share of the loud frames over music, in windows over music
)

// masked has the windows of a voice, and what is known about them.
type masked struct {
	windows    []span
	all        moment
	music      bool    // whether most is over music
	level      levels  // of loud frames
	pauses     []int   // frames without speech around the windows
	background float64 // dB; their median level
}

// unmask matches the groups over music, and those without, each among themselves, unless all are of one block. Then it joins the voices
// that have different backgrounds. It keeps the labels if that gives fewer speakers than there are at least, or too many.
func unmask(ctx context.Context, f *frames, guesses []assignment, groups []*moment, labels []int, c Config, blocks bool) ([]int, error) {
	windows := windowsOf(guesses, len(groups))
	var sides [2][]int // groups without music, and over music
	for g, w := range windows {
		side := 0
		if overMusic(f, w) {
			side = 1
		}
		sides[side] = append(sides[side], g)
	}
	split := slices.Clone(labels)
	if blocks && len(sides[0]) > 0 && len(sides[1]) > 0 {
		first := 0
		for _, side := range sides {
			members := make([]*moment, len(side))
			for i, g := range side {
				members[i] = groups[g]
			}
			n, names, err := match(ctx, members, c)
			if err != nil {
				return nil, err
			}
			for i, g := range side {
				split[g] = first + names[i]
			}
			first += n
		}
	}
	voices := make([]masked, slices.Max(split)+1)
	for g, v := range split {
		voices[v].windows = append(voices[v].windows, windows[g]...)
		voices[v].all.add(groups[g])
	}
	for i := range voices {
		voices[i].observe(f)
	}
	names, err := mask(ctx, f, voices, blocks)
	if err != nil {
		return nil, err
	}
	for g, v := range split {
		split[g] = names[v]
	}
	if n := slices.Max(split) + 1; n < c.MinSpeakers || n > c.MaxSpeakers {
		return labels, nil
	}
	return split, nil
}

// clusterMasked groups the windows of a recording of one block into at least c.MinSpeakers groups, after the groups of voices that have several
// because of their backgrounds are joined. If those took the place of other voices, it tries more groups.
func clusterMasked(ctx context.Context, f *frames, p *embeddings, block span, c Config) (clustering, error) {
	least, most := c.MinSpeakers, min(c.MaxSpeakers, c.MinSpeakers+maskMore)
	first, err := cluster(ctx, f, p, block, c, false)
	for out := first; err == nil && len(out.groups) >= c.MinSpeakers; {
		var names []int
		if names, err = mask(ctx, f, out.voices(f), false); err != nil {
			break
		}
		left := slices.Max(names) + 1
		if left >= least {
			out.rename(names)
			return out, nil
		}
		if c.MinSpeakers += least - left; c.MinSpeakers > most {
			break
		}
		out, err = cluster(ctx, f, p, block, c, false)
	}
	return first, err
}

// voices returns each group as a voice.
func (c clustering) voices(f *frames) []masked {
	out := make([]masked, len(c.groups))
	for i, w := range c.windows {
		out[c.labels[i]].windows = append(out[c.labels[i]].windows, w)
	}
	for i := range out {
		out[i].all.add(c.groups[i])
		out[i].observe(f)
	}
	return out
}

// rename joins the groups with the same name. Names are numbers from 0.
func (c *clustering) rename(names []int) {
	groups := make([]*moment, slices.Max(names)+1)
	for i, name := range names {
		if groups[name] == nil {
			groups[name] = new(moment)
		}
		groups[name].add(c.groups[i])
	}
	for _, g := range groups {
		g.close()
	}
	c.groups = groups
	for i, l := range c.labels {
		c.labels[i] = names[l]
	}
}

// windowsOf returns the windows of each group.
func windowsOf(guesses []assignment, groups int) [][]span {
	out := make([][]span, groups)
	for _, g := range guesses {
		out[g.group] = append(out[g.group], g.window)
	}
	return out
}

// overMusic says whether windows are mostly over music.
func overMusic(f *frames, windows []span) bool {
	n, bed := 0, 0
	for _, w := range windows {
		for i := w.lo; i < w.hi; i++ {
			if f.core(i) {
				n++
				if f.bed(i) {
					bed++
				}
			}
		}
	}
	return float64(bed) > mostlyBed*float64(n)
}

// observe fills in all but the windows and their moment, which must not be closed yet.
func (v *masked) observe(f *frames) {
	v.all.close()
	v.music = overMusic(f, v.windows)
	stride := len(v.windows)/maskWindows + 1
	for k := 0; k < len(v.windows); k += stride {
		w := v.windows[k]
		for i := w.lo; i < w.hi; i++ {
			if f.core(i) {
				v.level.change(f.bin(i), 1)
			}
		}
	}
	if v.pauses = pausesAround(f, v.windows, stride, maskNear); len(v.pauses) < maskLeast {
		v.pauses = pausesAround(f, v.windows, stride, maskFar)
	}
	var quiet levels
	for _, i := range v.pauses {
		quiet.change(f.bin(i), 1)
	}
	v.background = quiet.quantile(0.5)
}

// pausesAround returns the frames without speech within reach of every stride-th window.
func pausesAround(f *frames, windows []span, stride, reach int) (out []int) {
	seen := 0
	for k := 0; k < len(windows); k += stride {
		w := windows[k]
		around := span{max(w.lo-reach, seen), min(w.hi+reach, f.n)}
		for i := around.lo; i < around.hi; i++ {
			if !f.speech(i) {
				out = append(out, i)
			}
		}
		seen = max(seen, around.hi)
	}
	return out
}

// masker adds backgrounds to frames.
type masker struct {
	f   *frames
	dct *dsp.DCT
}

// power returns the power of a frame in each mel band, as smooth as its coefficients are.
func (m *masker) power(i int) (out [melFilters]float64) {
	var x [coefficients]float64
	m.f.cepstrum(x[:], i)
	m.dct.Inverse(out[:], x[:])
	for k, v := range out {
		out[k] = dsp.Exp(v)
	}
	return out
}

// add returns the moment of a voice's frames with the background of another one. Over music, only loud frames count.
func (m *masker) add(v, over *masked) *moment {
	least := math.Inf(-1)
	if over.music {
		least = over.background + float64(aboveShare*min(v.level.quantile(topShare)-over.background, mostRange))
	}
	out := new(moment)
	stride, seen := (int(v.all.n)+maskRows-1)/maskRows, 0
	var c [coefficients]float64
	for _, w := range v.windows {
		for i := w.lo; i < w.hi; i++ {
			if !m.f.core(i) {
				continue
			}
			if seen++; seen%stride != 0 || m.f.level(i) <= least {
				continue
			}
			sum, more := m.power(i), m.power(over.pauses[seen/stride*7919%len(over.pauses)])
			for k := range sum {
				sum[k] = dsp.Log(sum[k] + more[k])
			}
			m.dct.Apply(c[:], sum[:])
			out.frame(&c)
		}
	}
	out.scale(float64(stride))
	out.close()
	return out
}
