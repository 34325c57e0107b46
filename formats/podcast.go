package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// podcastSegment is a piece of speech in the JSON that the <podcast:transcript> tag of a feed links to (podcast namespace, transcripts,
// version 1.0.0).
type podcastSegment struct {
	Speaker string      `json:"speaker,omitempty"`
	Start   jsonSeconds `json:"startTime"`
	End     jsonSeconds `json:"endTime"`
	Body    string      `json:"body"`
}

// podcastColumns is the width of a segment. Players break lines themselves, so that only the duration limits most segments.
const podcastColumns = 160

// WritePodcast writes the transcript JSON of Podcasting 2.0, one segment per line. Segments last at most 7 s, as captions do, and end where
// sentences and phrases end; Columns and Lines of Options.Captions don't apply. Without speech, the list is empty.
func WritePodcast(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues = false, false
	o.Captions.Columns, o.Captions.Lines = podcastColumns, 1
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteString(`{"version":"1.0.0","segments":[`)
	var err error
	for i, c := range prepare(t, o).Cues(o.Captions) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		err = errors.Join(err, enc.Encode(podcastSegmentOf(c)))
		b.Truncate(max(b.Len()-1, 0)) // the line feed
	}
	if err != nil {
		return err
	}
	b.WriteString("\n]}\n")
	return writeFile(w, &b)
}

func podcastSegmentOf(c captions.Cue) podcastSegment {
	return podcastSegment{Speaker: c.Speaker, Start: jsonSeconds(c.Start), End: jsonSeconds(c.End), Body: c.Text()}
}
