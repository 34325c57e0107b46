package formats_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/formats/markers"
)

var resolveMarker = regexp.MustCompile(`(?m)^(.*) \|C:ResolveColor(\w+) \|M:([^|]*) \|D:(\d+)\r$`)

// Timelines have chapters, clips, and turns in order, with the rate and the first timecode of the options.
func TestTimelines(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	rate, err := markers.ParseRate("24")
	require.NoError(t, err)
	o.Rate, o.StartFrame, o.Media = rate, 24*3600, "talk.wav"
	o.Chapters = []formats.Chapter{{Start: 12 * time.Second, Title: "Ada"}, {Title: "Hello", Summary: "Who is here"}}
	o.Clips = []formats.Clip{{Window: transcript.Window{Start: 12500 * time.Millisecond, End: 24 * time.Second}, Title: "Was she right?", Why: "A question."}}
	edl := string(write(t, "edl", tr, o))
	require.Contains(t, edl, "001  001      V     C        01:00:00:00 01:00:00:01 ")
	var got []string
	for _, m := range resolveMarker.FindAllStringSubmatch(edl, -1) {
		got = append(got, fmt.Sprintf("%s %s: %.12s", m[2], m[3], m[1]))
	}
	require.Equal(t, []string{
		"Red Hello: Who is here", "Blue Speaker 1: Good morning", "Green Prof. Ada Byron: Thank you. I", "Red Ada: ",
		"Yellow Was she right?: A question.", "Blue Speaker 1: Let's begin ", "Green Prof. Ada Byron: Yes.",
	}, got)
	fcpxml := string(write(t, "fcpxml", tr, o))
	require.Equal(t, 2, strings.Count(fcpxml, "<chapter-marker "))
	require.Contains(t, fcpxml, `frameDuration="100/2400s"`)
	require.Contains(t, fcpxml, `tcStart="3600s"`)
	require.Contains(t, fcpxml, `src="talk.wav"`)
	require.NotContains(t, fcpxml, "hasVideo", "the media has sound only")
	require.Contains(t, string(write(t, "otio", tr, o)), `"target_url": "talk.wav"`)
	o.Media = "new\nline.wav"
	require.Contains(t, string(write(t, "otio", tr, o)), `"target_url": "new%0Aline.wav"`)
	require.Contains(t, string(write(t, "fcpxml", tr, o)), `src="new%0Aline.wav"`)
}

// In each language, the markers have all of the text.
func TestTimelineLanguages(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		var text strings.Builder
		for _, m := range resolveMarker.FindAllStringSubmatch(string(write(t, "edl", tr, formats.Options{})), -1) {
			text.WriteString(letters(m[1]))
		}
		require.Equal(t, lettersOf(tr), text.String(), language)
	}
}

func ExampleWriteEDL() {
	rate, _ := markers.ParseRate("23.976")
	var b bytes.Buffer
	_ = formats.WriteEDL(&b, example, formats.Options{Title: "Talk", Rate: rate, Chapters: []formats.Chapter{{Title: "Hello"}}})
	for _, m := range resolveMarker.FindAllStringSubmatch(b.String(), -1) {
		fmt.Println(m[3], "lasts", m[4], "frames")
	}
	// Output:
	// Hello lasts 96 frames
	// Speaker 1 lasts 47 frames
	// Speaker 2 lasts 22 frames
}
