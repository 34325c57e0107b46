package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// Target is where a render is posted. It decides the default aspect ratio, the loudness, and which parts of the frame text avoids.
type Target string

// Where renders are posted. TargetWeb is a player on a page.
const (
	TargetTikTok   Target = "tiktok"
	TargetReels    Target = "reels"
	TargetShorts   Target = "shorts"
	TargetYouTube  Target = "youtube"
	TargetLinkedIn Target = "linkedin"
	TargetWeb      Target = "web"
)

// Targets returns every Target.
func Targets() []Target {
	return []Target{TargetTikTok, TargetReels, TargetShorts, TargetYouTube, TargetLinkedIn, TargetWeb}
}

// AspectRatio returns the target's usual aspect ratio; the default for "".
func (t Target) AspectRatio() AspectRatio {
	switch t {
	case TargetYouTube, TargetWeb:
		return AspectWide
	case TargetLinkedIn:
		return AspectPortrait
	}
	return defaultAspect
}

// Validate returns CodeInvalid for an unknown target. "" is valid.
func (t Target) Validate() error {
	if t == "" || slices.Contains(Targets(), t) {
		return nil
	}
	return Errorf(CodeInvalid, "", "Unknown target %.40q.", t).WithHint("Use one of " + input.Enumerate(Targets()) + ".")
}

// Focus is what stays in the frame when a picture is cropped to another aspect ratio: FocusAuto, FocusBoth, FocusCentre, or a point made by
// FocusAt. A render with a focus is cropped.
type Focus string

// Kinds of focus.
const (
	FocusAuto   Focus = "auto"   // faces, and of two the one who speaks; without faces, what moves and stands out
	FocusBoth   Focus = "both"   // as FocusAuto, but two people who are far apart are both shown: in halves of the frame
	FocusCentre Focus = "centre" // the middle
)

// FocusAt returns the focus on a point: shares of the width and the height from the top left, 0 to 1.
func FocusAt(x, y float64) Focus {
	short := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return Focus(short(x) + "," + short(y))
}

// Point returns the point of FocusAt and FocusCentre. ok is false for any other focus.
func (f Focus) Point() (x, y float64, ok bool) {
	if f == FocusCentre {
		return 0.5, 0.5, true
	}
	if len(f) > 40 {
		return 0, 0, false
	}
	a, b, ok := strings.Cut(string(f), ",")
	x, errX := strconv.ParseFloat(strings.TrimSpace(a), 64)
	y, errY := strconv.ParseFloat(strings.TrimSpace(b), 64)
	inside := x >= 0 && x <= 1 && y >= 0 && y <= 1 // false for NaN
	return x, y, ok && errX == nil && errY == nil && inside
}

// Faces reports whether the focus is on faces, wherever they are.
func (f Focus) Faces() bool { return f == FocusAuto || f == FocusBoth }

// Validate returns CodeInvalid for anything but a kind of focus or a point. "" is valid.
func (f Focus) Validate() error {
	if _, _, ok := f.Point(); ok || f == "" || f.Faces() {
		return nil
	}
	return Errorf(CodeInvalid, "", "The focus %.40q is neither auto, nor both, nor centre, nor a point.", f).
		WithHint("A point is two numbers from 0 to 1, from the left and from the top: 0.3,0.5.")
}
