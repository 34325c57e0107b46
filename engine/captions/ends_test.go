package captions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// No cue outlasts the media. The last one ends with it, even if it is short.
func TestCuesEndWithTheMedia(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	word := func(text string, start, end time.Duration) transcript.Word {
		return transcript.Word{Text: text, Start: start, End: end}
	}
	for media, want := range map[time.Duration]time.Duration{
		0:                 2600 * ms, // unknown: the cue may stay for half a second
		10_000 * ms:       2600 * ms,
		2500 * ms:         2500 * ms,
		2100 * ms:         2100 * ms,
		2100*ms + 900_000: 2100 * ms, // rounded down to a millisecond
		1950 * ms:         1950 * ms, // before the end of the last word
	} {
		for _, label := range []string{"", "Speaker 1"} { // in one utterance, or in one of another speaker
			tr := transcript.Transcript{Language: "en", Duration: media, Utterances: []transcript.Utterance{
				{Speaker: label, Text: "Goodbye then.", Start: 0, End: 900 * ms, Words: []transcript.Word{word("Goodbye", 0, 500*ms), word("then.", 500*ms, 900*ms)}},
				{Text: "Bye.", Start: 1900 * ms, End: 2100 * ms, Words: []transcript.Word{word("Bye.", 1900*ms, 2100*ms)}},
			}}
			cues := captions.Build(tr, nil, captions.Options{MinDuration: -1})
			require.Equal(t, want, cues[len(cues)-1].End, "media of %s", media)
			cues = captions.Build(tr, nil, captions.Options{})
			if media > 0 {
				require.LessOrEqual(t, cues[len(cues)-1].End, media)
			}
		}
	}
}
