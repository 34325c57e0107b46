package formats_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// podcastFile is what the specification allows in a transcript.
type podcastFile struct {
	Version  string
	Segments []struct {
		Speaker            string
		StartTime, EndTime *float64
		Body               string
	}
}

func readPodcast(t testing.TB, out []byte) (file podcastFile) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(out))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&file))
	require.Equal(t, "1.0.0", file.Version)
	require.NotNil(t, file.Segments)
	return file
}

// In each language, the segments have all letters, the right speakers, at most 7 s each, and times that don't decrease for a speaker.
func TestPodcast(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		file := readPodcast(t, write(t, "podcast", tr, formats.Options{Names: map[string]string{"Speaker 1": "Ann <Lee>"}}))
		var text strings.Builder
		ends := map[string]float64{}
		for _, s := range file.Segments {
			text.WriteString(letters(s.Body))
			require.NotContains(t, s.Body, "\n")
			require.Less(t, *s.StartTime, *s.EndTime)
			require.LessOrEqual(t, *s.EndTime-*s.StartTime, 7.0)
			require.GreaterOrEqual(t, *s.StartTime, ends[s.Speaker])
			ends[s.Speaker] = *s.EndTime
		}
		require.Equal(t, lettersOf(tr), text.String(), language)
		require.Len(t, ends, 2)
		require.Contains(t, ends, "Ann <Lee>")
	}
}

// Segments follow sentences, not the width of captions.
func TestPodcastSentences(t *testing.T) {
	t.Parallel()
	const sentence = "This sentence has far more than forty-two columns, yet it lasts under seven seconds."
	tr := spoken("en", say("", time.Second, strings.Fields(sentence+" And so does this one, which is the second sentence of the two here.")...))
	o := formats.Options{}
	o.Captions.Columns, o.Captions.SpeakerPrefix = 20, true
	file := readPodcast(t, write(t, "podcast", tr, o))
	require.Len(t, file.Segments, 2)
	require.Equal(t, sentence, file.Segments[0].Body)
	require.Empty(t, file.Segments[0].Speaker)
}

// A segment has one speaker and one line, however brief the turns and however fast the speech.
func TestPodcastBriefAndFast(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("Speaker 0", time.Second, "No."), say("Speaker 1", 1400*time.Millisecond, "Hm."))
	fast := say("Speaker 2", 3*time.Second, strings.Fields(strings.Repeat("uninterrupted ", 60))...)
	for i := range fast.Words {
		fast.Words[i].Start = 3*time.Second + time.Duration(i)*100*time.Millisecond
		fast.Words[i].End = fast.Words[i].Start + 90*time.Millisecond
	}
	tr.Utterances = append(tr.Utterances, fast)
	o := formats.Options{}
	o.Captions.Dialogues = true
	file := readPodcast(t, write(t, "podcast", tr, o))
	require.Equal(t, "No.", file.Segments[0].Body)
	require.Equal(t, "Speaker 1", file.Segments[1].Speaker)
	for _, s := range file.Segments {
		require.NotContains(t, s.Body, "\n")
		require.LessOrEqual(t, len(s.Body), 160)
	}
}

// Overlapping speech keeps its times and speakers.
func TestPodcastOverlap(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("Speaker 0", time.Second, strings.Fields("I think that we should go now.")...), say("Speaker 1", 2*time.Second, "No."))
	file := readPodcast(t, write(t, "podcast", tr, formats.Options{}))
	require.Len(t, file.Segments, 2)
	require.Equal(t, "No.", file.Segments[1].Body)
	require.Less(t, *file.Segments[1].StartTime, *file.Segments[0].EndTime)
}

// Parse reads back what was written: text, times, and speakers, in each language.
func TestPodcastRoundTrip(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		out := write(t, "podcast", tr, formats.Options{})
		parsed, err := formats.Parse("talk.podcast.json", bytes.NewReader(out))
		require.NoError(t, err)
		require.Empty(t, parsed.Problems)
		require.Equal(t, lettersOf(tr), lettersOf(parsed.Transcript), language)
		require.Equal(t, tr.Labels(), parsed.Labels())
		segments := readPodcast(t, out).Segments
		require.Len(t, parsed.Utterances, len(segments))
		for i, u := range parsed.Utterances {
			require.InDelta(t, *segments[i].StartTime, u.Start.Seconds(), 1e-9)
			require.InDelta(t, *segments[i].EndTime, u.End.Seconds(), 1e-9)
		}
	}
}

func ExampleWritePodcast() {
	_ = formats.WritePodcast(os.Stdout, example, formats.Options{Names: map[string]string{"Speaker 0": "Grace"}})
	// Output:
	// {"version":"1.0.0","segments":[
	// {"speaker":"Grace","startTime":0,"endTime":2.016,"body":"Who wrote the first program?"},
	// {"speaker":"Speaker 1","startTime":2.1,"endTime":3.5,"body":"Ada Lovelace."}
	// ]}
}
