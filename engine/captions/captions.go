package captions

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Options are the limits of cues. A zero field means the default; a negative duration means none.
type Options struct {
	Columns      int           // width of a line; an East Asian wide character takes 2. Default 42; ja 26, ko and zh 32
	Lines        int           // per cue; default 2
	Words        int           // per cue, for captions that follow speech word by word; more only to keep words together. Default no limit
	ReadingSpeed float64       // characters per second; default by language
	MinDuration  time.Duration // of a cue, if the next one leaves room; default 5/6 s
	MaxDuration  time.Duration // of a cue; default 7 s
	MaxPause     time.Duration // a longer silence ends a cue; default 1.5 s
	Linger       time.Duration // how long a cue may stay after its last word; default 0.5 s
	CloseGap     time.Duration // gaps shorter than this are closed; default 0.5 s
	Gap          time.Duration // between cues; default 2 frames at 24 frames per second

	// Dialogues shows brief turns of two speakers in one cue, a line each that begins with a dash.
	Dialogues bool
	// Flat shows one cue at a time: when people talk at the same time, a cue ends as the next begins.
	Flat bool
	// SpeakerPrefix begins the first line of each turn with "Name: ", which counts as part of the line.
	SpeakerPrefix bool

	profile string
}

const defaultColumns = 42 // except for Chinese, Japanese, and Korean

// WithDefaults returns o with the limits of its profile for unset fields. The default is Netflix's: columns, lines, durations, and adult reading speeds are from Netflix's
// Timed Text Style Guides; gaps are from the BBC's Subtitle Guidelines.
func (c Options) WithDefaults(language transcript.Language) Options {
	columns, speed := defaultColumns, 17.0
	switch language {
	case "en":
		speed = 20
	case "ja":
		columns, speed = 26, 4
	case "ko":
		columns, speed = 32, 12
	case "zh":
		columns, speed = 32, 9
	}
	c = c.withProfile(columns)
	if c.Columns <= 0 {
		c.Columns = columns
	}
	if c.Lines <= 0 {
		c.Lines = 2
	}
	if c.ReadingSpeed <= 0 {
		c.ReadingSpeed = speed
	}
	c.MinDuration = orDefault(c.MinDuration, 834*time.Millisecond)
	c.MaxDuration = orDefault(c.MaxDuration, 7*time.Second)
	c.MaxPause = orDefault(c.MaxPause, 1500*time.Millisecond)
	c.Linger = orDefault(c.Linger, 500*time.Millisecond)
	c.CloseGap = orDefault(c.CloseGap, 500*time.Millisecond)
	c.Gap = orDefault(c.Gap, 84*time.Millisecond)
	c.MaxDuration = max(c.MaxDuration, 2*time.Millisecond)
	return c
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return max(d, 0)
}
