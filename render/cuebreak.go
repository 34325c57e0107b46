package render

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Burnt-in captions follow speech more closely than caption files, which a player may show longer.
const (
	captionHang  = 300 * time.Millisecond // how long a caption stays after its last word
	captionPause = 800 * time.Millisecond // a longer silence ends a caption
)

// buildCues is the default CueBuilder. It breaks and times captions like caption files (captions.Build), or calls GroupWords
// if captions are limited to a few words.
func buildCues(words []transcript.Word, language transcript.Language, limits CueLimits) []Cue {
	if limits.Words > 0 {
		return GroupWords(words, language, limits)
	}
	t := transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}
	built := captions.Build(t, nil, captions.Options{Columns: limits.Columns, Lines: limits.Lines, Linger: captionHang, MaxPause: captionPause})
	cues := make([]Cue, len(built))
	for i, c := range built {
		cues[i] = Cue{Start: c.Start, End: c.End}
		for _, l := range c.Lines {
			cues[i].Lines = append(cues[i].Lines, l.Words)
		}
	}
	return cues
}
