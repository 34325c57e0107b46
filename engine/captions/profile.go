package captions

import (
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// profiles are the limits of well-known style guides. A zero field means Netflix's, which depend on the language. Limits of columns are for
// alphabets; East Asian lines keep Netflix's if those are shorter.
var profiles = []struct {
	name   string
	limits Options
}{
	{"netflix", Options{}},
	// BBC Subtitle Guidelines: 37 characters of teletext, 160 to 180 words per minute, no gap under a second.
	{"bbc", Options{Columns: 37, ReadingSpeed: 15, MinDuration: time.Second, CloseGap: time.Second, Gap: -1}},
	// YouTube has no guide for captions; these limits are usual there. Its player needs no gaps.
	{"youtube", Options{Columns: 42, ReadingSpeed: 21, MinDuration: time.Second, Gap: -1}},
	// Short videos, watched on a telephone in portrait: few words at a time.
	{"social", Options{Columns: 24, ReadingSpeed: 21, MinDuration: 500 * time.Millisecond, MaxDuration: 3 * time.Second, Gap: -1}},
}

// Profiles returns the names that Profile knows, the default first.
func Profiles() []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.name
	}
	return names
}

// Profile returns the limits of a style guide: netflix, bbc, youtube, or social. Fields that are set afterwards replace the guide's. ok is
// false if no profile has the name.
func Profile(name string) (o Options, ok bool) {
	for _, p := range profiles {
		if p.name == name {
			return Options{profile: name}, true
		}
	}
	return Options{}, false
}

// withProfile sets the unset fields that the profile has limits for. columns is the language's own limit.
func (c Options) withProfile(columns int) Options {
	for _, p := range profiles {
		if p.name != c.profile {
			continue
		}
		if c.Columns <= 0 && p.limits.Columns > 0 {
			c.Columns = min(p.limits.Columns, columns)
		}
		if c.ReadingSpeed <= 0 && columns == defaultColumns {
			c.ReadingSpeed = p.limits.ReadingSpeed
		}
		c.MinDuration = orElse(c.MinDuration, p.limits.MinDuration)
		c.MaxDuration = orElse(c.MaxDuration, p.limits.MaxDuration)
		c.CloseGap = orElse(c.CloseGap, p.limits.CloseGap)
		c.Gap = orElse(c.Gap, p.limits.Gap)
	}
	return c
}

func orElse(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Speed returns how many characters per second a viewer has to read.
func (c Cue) Speed() float64 {
	chars := 0
	for _, l := range c.Lines {
		chars += utf8.RuneCountInString(l.Text)
	}
	return float64(chars) / (c.End - c.Start).Seconds()
}

// TooFast returns the cues that need a higher reading speed than the limit. Build shows fast speech as it is, because captions don't change
// words.
func TooFast(cues []Cue, language transcript.Language, o Options) []Cue {
	var fast []Cue
	limit := o.WithDefaults(language).ReadingSpeed
	for _, c := range cues {
		if c.Speed() > limit {
			fast = append(fast, c)
		}
	}
	return fast
}
