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
	wordsHang     = 500 * time.Millisecond
)

// cuesOf returns the default CueBuilder. It breaks and times captions like caption files (captions.Build). It shows brief turns of two
// speakers in one caption only if dialogues is set.
func cuesOf(asked captions.Options, dialogues bool) CueBuilder {
	return func(words []transcript.Word, language transcript.Language, limits CueLimits) []Cue {
		t := transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}
		if limits.Sentences {
			t.Utterances = sentencesOf(t.Utterances, language)
		}
		o := captionOptions(asked, language, limits)
		o.Dialogues = dialogues
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
		if limits.Sentences {
			fixTails(cues, language, limits)
		}
		return cues
	}
}

// sentencesOf splits utterances where sentences end. A pause between words that belong to one sentence doesn't end it.
func sentencesOf(utterances []transcript.Utterance, language transcript.Language) (all []transcript.Utterance) {
	for _, u := range utterances {
		from := 0
		for i := range u.Words {
			if i+1 < len(u.Words) {
				next := u.Words[i+1].Text
				if !transcript.EndsSentence(u.Words[i].Text, next, language) || startsClosing(next) {
					continue
				}
			}
			words := u.Words[from : i+1]
			part := transcript.Utterance{Speaker: u.Speaker, Words: words, Start: words[0].Start, Text: transcript.JoinWords(words, language)}
			for _, w := range words {
				part.End = max(part.End, w.End)
			}
			all, from = append(all, part), i+1
		}
	}
	return all
}

// captionOptions returns the limits that were asked for, within those of the frame.
func captionOptions(asked captions.Options, language transcript.Language, limits CueLimits) captions.Options {
	o := captions.Options{Columns: limits.Columns, Lines: limits.Lines}
	if asked != (captions.Options{}) {
		o = asked.WithDefaults(language)
		o.Columns, o.Lines = min(o.Columns, limits.Columns), min(o.Lines, limits.Lines)
	}
	short := limits.Words > 0 || limits.Sentences
	if short && asked.MinDuration == 0 {
		o.MinDuration = wordsDuration
	}
	if short && asked.ReadingSpeed == 0 {
		o.ReadingSpeed = wordsSpeed
	}
	o.Words, o.Linger, o.MaxPause, o.Dialogues, o.Flat = limits.Words, captionHang, captionPause, true, true
	if short {
		o.Linger = wordsHang
	}
	return o
}

// fastCues returns the cues that need a higher reading speed than the limit, in characters per second.
func fastCues(cues []Cue, language transcript.Language, limit float64) (fast []Cue) {
	for _, c := range cues {
		shown := captions.Cue{Start: c.Start, End: c.End}
		for _, line := range c.Lines {
			shown.Lines = append(shown.Lines, captions.Line{Text: transcript.JoinWords(line, language)})
		}
		if shown.Speed() > limit {
			fast = append(fast, c)
		}
	}
	return fast
}
