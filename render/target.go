package render

import (
	"math"

	"github.com/soundstage-dev/soundstage/engine"
)

// Target says how a place shows clips.
type Target struct {
	Name     engine.Target
	Aspect   engine.AspectRatio // usual there
	Loudness float64            // in LUFS
	Covered  Insets             // in a frame of the usual aspect ratio
}

// Insets are how much of each side of a frame a player or an app draws over, as shares of its height and width.
type Insets struct{ Top, Right, Bottom, Left float64 }

// socialLoudness is what social platforms play at.
const socialLoudness = -14.0

// Targets returns every target. Covered of reels is what Meta's safe zone leaves out: 14 % at the top, 35 % at the bottom. Those of the others
// are estimates, from guides and from the controls of usual players: no platform promises where its buttons are.
func Targets() []Target {
	all := make([]Target, 0, len(engine.Targets()))
	for _, name := range engine.Targets() {
		all = append(all, targetOf(name))
	}
	return all
}

// targetOf returns the target of a name. For "", that is the loudness of podcasts, and text where usual players show it.
func targetOf(name engine.Target) Target {
	t := Target{Name: name, Aspect: name.AspectRatio(), Loudness: socialLoudness}
	switch name {
	case engine.TargetTikTok:
		t.Covered = Insets{Top: 0.08, Right: 0.125, Bottom: 0.25, Left: 0.06}
	case engine.TargetReels:
		t.Covered = Insets{Top: 0.14, Right: 0.12, Bottom: 0.35, Left: 0.06}
	case engine.TargetShorts:
		t.Covered = Insets{Top: 0.15, Right: 0.178, Bottom: 0.25, Left: 0.045}
	case engine.TargetYouTube:
		t.Covered = Insets{Top: 0.1, Right: 0.05, Bottom: 0.15, Left: 0.05}
	case engine.TargetLinkedIn:
		t.Covered = Insets{Top: 0.05, Right: 0.05, Bottom: 0.12, Left: 0.05}
	default:
		t.Loudness, t.Covered = targetLoudness, Insets{Top: 0.05, Right: 0.05, Bottom: 0.13, Left: 0.05}
	}
	return t
}

// covers returns what the target covers of a layout. Insets of another aspect ratio say nothing about a frame.
func (t Target) covers(l layout) (in Insets, known bool) {
	usual := ratios[t.Aspect].ratio()
	if t.Name == "" || math.Abs(float64(l.canvas.w)/float64(l.canvas.h)/usual-1) > 0.05 {
		return Insets{}, false
	}
	return t.Covered, true
}

// within moves a layout's text, cover, and wave off what the target covers, and off marks of the Style inside of that.
func (l layout) within(t Target, m marks) layout {
	in, known := t.covers(l)
	if !known {
		return l
	}
	w, h := float64(l.canvas.w), float64(l.canvas.h)
	free := l
	free.side = max(l.side, int(math.Ceil(w*max(in.Left, in.Right)))) // text is in the middle
	var top, bottom float64
	top, bottom, free.side = m.reach(free, in)
	free.titleTop = max(l.titleTop, int(math.Ceil(h*in.Top+top))+titleBox)
	free.captionBottom = min(l.captionBottom, int(h*(1-in.Bottom)-bottom))
	// What is between title and captions keeps its place between them.
	scale := float64(free.captionBottom-free.titleTop) / float64(l.captionBottom-l.titleTop)
	moved := func(y int) int { return free.titleTop + int(float64(y-l.titleTop)*scale) }
	free.coverTop, free.waveMiddle = moved(l.coverTop), moved(l.waveMiddle)
	free.coverSize, free.waveHeight = int(float64(l.coverSize)*scale), int(float64(l.waveHeight)*scale)
	return free
}

// titleBox is the height of the box of a title above its letters.
const titleBox = 22
