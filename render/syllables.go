package render

import "github.com/soundstage-dev/soundstage/engine/transcript"

// syllables splits a run of Thai, Lao, Khmer, or Burmese where a line may break.
func syllables(text string) []string { return transcript.Syllables(text) }
