package diarize

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

// blockFrames is the longest block that is clustered: 20 min, 1,600 windows. Clustering compares all pairs, so its time and
// memory grow quadratically.
const blockFrames = 20 * 60 * 100

// splitBlocks divides a recording into blocks of equal length, none longer than blockFrames.
func splitBlocks(n int) []span {
	count := (n + blockFrames - 1) / blockFrames
	blocks := make([]span, count)
	for i := range blocks {
		blocks[i] = span{i * n / count, (i + 1) * n / count}
	}
	return blocks
}

// collectGarbage frees the garbage of a block. Without it, garbage would grow as large as the features, which are 80 MB for 10 h; a
// block leaves up to 60 MB.
func collectGarbage(blocks []span) {
	if len(blocks) > 1 {
		runtime.GC()
	}
}

// found is what findSpeakers finds. The frames of music belong to one more speaker after the last.
type found struct {
	speakers int
	music    bool
	allowed  []uint64 // the speakers of each frame's windows, as bits, music included; nil without an Embedder
}

// findSpeakers sets a first speaker for each frame of a window. A known number of speakers of several blocks is found like an unknown one, and
// only if that gives too few, the blocks are grouped again into at least as many: then parts of a voice often take the place of a voice that says
// little.
func findSpeakers(ctx context.Context, f *frames, p *embeddings, blocks []span, c Config, done func(share float64)) (found, error) {
	first := c
	likeUnknown := c.Speakers > 0 && len(blocks) > 1 && p.embedder == nil
	if likeUnknown {
		first.Speakers, first.MinSpeakers = 0, 1
		first.MaxSpeakers = max(c.Speakers, blockGroups)
	}
	g, err := groupBlocks(ctx, f, p, blocks, first, done)
	if err == nil && likeUnknown && g.speakers < c.Speakers {
		g, err = groupBlocks(ctx, f, p, blocks, c, done)
	}
	if err == nil && likeUnknown && g.speakers > c.Speakers {
		err = g.joinTo(ctx, c.Speakers)
	}
	if err != nil {
		return found{}, err
	}
	out := found{speakers: g.speakers, music: len(g.music) > 0}
	if out.speakers == 0 && !out.music && slices.ContainsFunc(blocks, func(b span) bool { return len(f.runs(b)) > 0 }) {
		return found{speakers: 1}, nil // there is speech, but too little for a window
	}
	for _, w := range g.music {
		f.setSpeaker(w, out.speakers)
	}
	for _, a := range g.guesses {
		f.setSpeaker(a.window, g.labels[a.group])
	}
	if p.embedder != nil {
		out.allow(f.n, g.guesses, g.labels, g.music)
	}
	return out, nil
}

// allow sets the allowed speakers of n frames: those of the windows that have the frame, or else those of the windows before and after.
func (o *found) allow(n int, guesses []assignment, labels []int, music []span) {
	o.allowed = make([]uint64, n)
	set := func(w span, who int) {
		for i := w.lo; i < min(w.hi, n); i++ {
			o.allowed[i] |= 1 << who
		}
	}
	for _, g := range guesses {
		set(g.window, labels[g.group])
	}
	for _, w := range music {
		set(w, o.speakers)
	}
	for i := 0; i < n; {
		if o.allowed[i] != 0 {
			i++
			continue
		}
		gap, around := span{i, i}, uint64(0)
		for gap.hi < n && o.allowed[gap.hi] == 0 {
			gap.hi++
		}
		if gap.lo > 0 {
			around |= o.allowed[gap.lo-1]
		}
		if gap.hi < n {
			around |= o.allowed[gap.hi]
		}
		if around == 0 {
			around = math.MaxUint64
		}
		for i = gap.lo; i < gap.hi; i++ {
			o.allowed[i] = around
		}
	}
}

// setSpeaker sets the speaker of the speech frames of a window.
func (f *frames) setSpeaker(w span, who int) {
	for i := w.lo; i < w.hi; i++ {
		if f.speech(i) {
			*f.who(i) = uint8(who)
		}
	}
}

// assignment is a window and its group.
type assignment struct {
	window span
	group  int
}

// clustering is the result of cluster: windows of speech with their groups, and windows of music.
type clustering struct {
	windows []span
	labels  []int
	groups  []*moment
	music   []span
	counted int // the groups, if each is a speaker and no part of one, else 0
}

const (
	musicRounds    = 3   // at most this often, groups of music are dropped and the rest is clustered again
	musicGroup     = 4   // to find music, at least this many groups are tried
	partSeparation = 1.0 // with parts, groups that are this far apart are kept
	blockGroups    = 16  // groups of a block of several are tried up to this number, or up to that of speakers
)

// observed has what the windows of a block are clustered by.
type observed struct {
	windows []span
	vectors [][]float64 // of an Embedder, or keys, which depend on all windows
	moments []moment
	tunes   []tune
}

func observe(f *frames, p *embeddings, block span) *observed {
	o := new(observed)
	if p.embedder != nil {
		o.windows, o.vectors = p.windows(f, block)
	} else {
		o.windows = cutWindows(f, f.runs(block))
		o.vectors = make([][]float64, len(o.windows))
	}
	o.moments, o.tunes = make([]moment, len(o.windows)), make([]tune, len(o.windows))
	for i, w := range o.windows {
		o.moments[i].observe(f, w)
		o.tunes[i].observe(f, w)
		if p.embedder != nil {
			o.moments[i].direction, o.moments[i].lengths = o.vectors[i], dsp.Dot(o.vectors[i], o.vectors[i])
		}
	}
	return o
}

// keep removes the other windows.
func (o *observed) keep(wanted func(i int) bool) {
	n := 0
	for i := range o.windows {
		if wanted(i) {
			o.windows[n], o.vectors[n], o.moments[n], o.tunes[n] = o.windows[i], o.vectors[i], o.moments[i], o.tunes[i]
			n++
		}
	}
	o.windows, o.vectors, o.moments, o.tunes = o.windows[:n], o.vectors[:n], o.moments[:n], o.tunes[:n]
}

// cluster groups the windows of one block. Of those with the same sound, only the first one is clustered, and the others follow it.
func cluster(ctx context.Context, f *frames, p *embeddings, block span, c Config, parts bool) (clustering, error) {
	o := observe(f, p, block)
	all := slices.Clone(o.windows)
	first, err := repeats(ctx, f, all, o.moments)
	if err != nil {
		return clustering{}, err
	}
	if first != nil {
		o.keep(func(i int) bool { return first[i] == i })
	}
	out, err := o.cluster(ctx, f, p.embedder == nil, c, parts)
	if first != nil {
		out.repeat(all, first)
	}
	return out, err
}

// cluster groups windows. Music would be a speaker, and its distance from all voices would hide theirs from each other. So groups of music
// are dropped, and the others are clustered again. If that gives many groups, they are counted again, among those of many. If parts is set,
// voices may be in several groups: all that are apart are kept, since a voice among others is lost, and parts of a voice are not. Frames may be
// grouped, too: see regroup.
func (o *observed) cluster(ctx context.Context, f *frames, byKeys bool, c Config, parts bool) (clustering, error) {
	var out clustering
	free := c
	free.MinSpeakers, free.MaxSpeakers = 1, max(c.MaxSpeakers, musicGroup)
	known := 0
	if c.Speakers > 0 {
		known = c.MinSpeakers // more than c.Speakers while parts of a voice are looked for
	}
	for round := 0; len(o.windows) > 0; round++ {
		if byKeys {
			var err error
			if o.vectors, err = keys(ctx, f, o.windows); err != nil {
				return out, err
			}
		}
		all := total(o.moments)
		tried := func(known int) ([]candidate, error) {
			found, err := candidates(ctx, o.vectors, o.moments, free.MaxSpeakers, c.MinSpeakers > 1, known)
			if byKeys {
				o.favourTurns(found, all.n)
			}
			return found, err
		}
		found, err := tried(known)
		if err != nil {
			return out, err
		}
		k := count(found, all, free)
		if out.dropMusic(o, found[k-1].labels, k, round, c) {
			continue
		}
		if k = count(found, all, c); known == 0 && all.direction == nil && !parts && k >= manyGroups {
			if found, err = tried(manyGroups); err != nil {
				return out, err
			}
			k = count(found, all, c)
		}
		n, labels, err := o.regroup(ctx, f, found, all, known, k, c, parts)
		if err != nil {
			return out, err
		}
		switch {
		case labels != nil && n >= c.MinSpeakers:
			if k = n; known == 0 && out.dropMusic(o, labels, k, round, c) {
				continue
			}
			if parts {
				out.counted = k
			}
		default:
			for j := k; j < len(found) && parts; j++ {
				if found[j].separation >= partSeparation {
					k = j + 1
				}
			}
			labels = found[k-1].labels
		}
		out.windows, out.labels = o.windows, labels
		out.groups = sumMoments(out.labels, o.moments, k)
		for _, g := range out.groups {
			g.close()
		}
		break
	}
	return out, nil
}

// regroup returns the number of speakers and the speakers of the windows that are found by the frames, where little is said or turns are quick;
// no labels where windows tell enough. found has the best grouping of the windows into each number, and k is the number that these have. known is
// not 0 if the number is known. all has the moments of all windows. With parts, only quick turns of an unknown number of speakers are grouped.
func (o *observed) regroup(ctx context.Context, f *frames, found []candidate, all *moment, known, k int, c Config, parts bool) (n int, labels []int, err error) {
	switch tried := found[min(max(k, 2), len(found))-1].labels; {
	case parts && known > 0:
	case !parts && isBrief(all) && known > 0:
		labels, _, err = newLoudFrames(f, o.windows).group(ctx, found[k-1].tried, k)
		return k, labels, err
	case !parts && isBrief(all):
		return newLoudFrames(f, o.windows).count(ctx, found, all, c)
	case k < manyGroups && isQuick(tried, all):
		return newLoudFrames(f, o.windows).quick(ctx, found, all, known, k, c)
	}
	return k, nil, nil
}

// dropMusic moves the windows of groups of music from o to the music of out, and says whether there are such. After the last round, there are none.
func (out *clustering) dropMusic(o *observed, labels []int, k, round int, c Config) bool {
	clear := clearTune
	if len(out.music) > len(o.windows) {
		clear = restTune
	}
	music := musicGroups(labels, o.tunes, o.moments, k, c.Speakers, clear)
	if round >= musicRounds || !slices.Contains(music, true) {
		return false
	}
	for i, l := range labels {
		if music[l] {
			out.music = append(out.music, o.windows[i])
		}
	}
	o.keep(func(i int) bool { return !music[labels[i]] })
	return true
}
