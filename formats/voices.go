package formats

import (
	"github.com/soundstage-dev/soundstage/engine/captions"
)

// voice is a speaker of captions.
type voice struct {
	label, name string // "" if the speaker is unknown
	number      int    // from 1, in order of appearance; 0 if the speaker is unknown
}

// voicesOf returns the speakers of cues by label, and in order of appearance.
func voicesOf(cues []captions.Cue) (byLabel map[string]voice, all []voice) {
	byLabel = map[string]voice{}
	add := func(label, name string) {
		if _, ok := byLabel[label]; ok {
			return
		}
		v := voice{label: label, name: name}
		if name != "" {
			v.number = len(all) + 1
			all = append(all, v)
		}
		byLabel[label] = v
	}
	for _, c := range cues {
		if !c.Dialogue() {
			add(c.Label, c.Speaker)
			continue
		}
		for _, l := range c.Lines {
			add(l.Label, l.Speaker)
		}
	}
	return byLabel, all
}

// labelOf returns the label of the speaker of a line.
func labelOf(c captions.Cue, l captions.Line) string {
	if c.Dialogue() {
		return l.Label
	}
	return c.Label
}

// colour is a colour of captions, as teletext has them.
type colour struct {
	name             string // in TTML
	red, green, blue uint8
	teletext         byte // alphanumeric colour code
}

// The colours of speakers are those of the BBC's subtitle guidelines, in its order. Each has a contrast of 15 or more on black.
var voiceColours = [...]colour{
	{"white", 0xff, 0xff, 0xff, 0x07},
	{"yellow", 0xff, 0xff, 0, 0x03},
	{"cyan", 0, 0xff, 0xff, 0x06},
	{"lime", 0, 0xff, 0, 0x02},
}

// colour returns the colour of the speaker. A fifth speaker is white again.
func (v voice) colour() colour { return voiceColours[max(v.number-1, 0)%len(voiceColours)] }
