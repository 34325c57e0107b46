package render

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Burnt-in captions follow speech more closely than caption files, which a player may show longer.
const (
	captionHang  = 300 * time.Millisecond // how long a caption stays after its last word
	captionPause = 800 * time.Millisecond // a longer silence ends a caption

	// Captions of a few words, with the spoken one highlighted, are read as they are spoken: they may be short.
	wordsDuration = 400 * time.Millisecond
	wordsSpeed    = 40 // characters per second
)

// buildCues is the default CueBuilder. It breaks and times captions like caption files (captions.Build).
func buildCues(words []transcript.Word, language transcript.Language, limits CueLimits) []Cue {
	o := captions.Options{Columns: limits.Columns, Lines: limits.Lines, Words: limits.Words, Linger: captionHang, MaxPause: captionPause,
		Dialogues: true, Flat: true}
	if limits.Words > 0 {
		o.MinDuration, o.ReadingSpeed = wordsDuration, wordsSpeed
	}
	t := transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}
	built := captions.Build(t, nil, o)
	cues := make([]Cue, len(built))
	for i, c := range built {
		cues[i] = Cue{Start: c.Start, End: c.End}
		for _, l := range c.Lines {
			words := l.Words
			if c.Dialogue() {
				words = slices.Clone(words)
				words[0].Text = "- " + words[0].Text
			}
			cues[i].Lines = append(cues[i].Lines, words)
		}
	}
	return cues
}
