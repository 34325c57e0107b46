package hotpaths_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/hotpaths"
	"github.com/soundstage-dev/soundstage/render"
)

const sentence = "We asked nine customers on Monday what they missed most, and seven of them said the same thing about the search. "

// spoken returns words at a rate of about three per second, of sentences that differ.
func spoken(length time.Duration) (words []transcript.Word) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields(sentence)
	for at := time.Duration(0); at < length; {
		word := vocabulary[len(words)%len(vocabulary)]
		if r.IntN(4) == 0 {
			word = fmt.Sprintf("%s%d", word[:1], r.IntN(500))
		}
		end := at + time.Duration(160+r.IntN(240))*time.Millisecond
		words = append(words, transcript.Word{Text: word, Start: at, End: end, Confidence: 0.9, Speaker: transcript.SpeakerLabel(len(words) / 60 % 3)})
		at = end + 60*time.Millisecond
	}
	return words
}

// exports counts what exports of a transcript of three hours allocate and write.
func exports(t *testing.T) (all []hotpaths.Count) {
	const length = 3 * time.Hour
	talk := transcript.Transcript{Language: "en", Duration: length + time.Second, Utterances: transcript.BuildUtterances(spoken(length), "en")}
	for _, name := range []string{"vtt", "docx", "pdf"} {
		f, ok := formats.Lookup(name)
		require.True(t, ok)
		written := counter(0)
		path := "3 h transcript to " + name
		all = append(all, allocated(path, 0.02, 1, func() {
			written = 0
			require.NoError(t, f.Write(&written, talk, formats.Options{Title: "Three hours"}))
		})...)
		all = append(all, hotpaths.Count{Path: path, What: "bytes written", Value: float64(written), Tolerance: 0.02})
	}
	return all
}

// counter counts the bytes that are written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// captionsOfClip counts what the plan of a captioned clip of 30 s allocates, and the size of its captions. ffmpeg does the rest.
func captionsOfClip(t *testing.T) []hotpaths.Count {
	const length = 30 * time.Second
	facts := render.MediaFacts{
		MediaInfo: engine.MediaInfo{
			Format: "mov,mp4", Duration: length, Video: &engine.VideoStream{Codec: "h264", Width: 1280, Height: 720},
			Audio: &engine.AudioStream{Codec: "aac", SampleRate: 48_000, Channels: 2},
		},
		Picture: &render.Picture{PixelAspect: 1, Rate: render.Rate{Num: 30, Den: 1}, Duration: length}, Sound: &render.SoundStream{Stream: 1}, Cover: -1,
	}
	request := render.Request{Window: transcript.Window{End: length}, Words: spoken(length), Title: "What customers said", Fit: render.Crop}
	written := 0
	counts := allocated("captions of a clip of 30 s", 0.02, 10, func() {
		plan, err := render.NewPlan(facts, render.Sound{Loudness: -20, Peak: -7, Levels: make([]float64, 30*render.LevelsPerSecond)}, request)
		require.NoError(t, err)
		written = len(plan.Captions)
	})
	return append(counts, hotpaths.Count{Path: "captions of a clip of 30 s", What: "bytes of captions", Value: float64(written), Tolerance: 0.02})
}
