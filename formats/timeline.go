package formats

import (
	"cmp"
	"io"
	"path"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats/markers"
)

// WriteOTIO writes an OpenTimelineIO timeline of the media, with markers for Options.Chapters, Options.Clips, and each paragraph of a speaker.
// Rate and StartFrame of Options are the timecode's.
func WriteOTIO(w io.Writer, t transcript.Transcript, o Options) error {
	return markers.WriteOTIO(w, timelineOf(t, o))
}

// WriteFCPXML writes Final Cut Pro XML 1.9 with the markers of WriteOTIO.
func WriteFCPXML(w io.Writer, t transcript.Transcript, o Options) error {
	return markers.WriteFCPXML(w, timelineOf(t, o))
}

// WriteEDL writes the markers of WriteOTIO as an edit decision list for DaVinci Resolve.
func WriteEDL(w io.Writer, t transcript.Transcript, o Options) error {
	return markers.WriteEDL(w, timelineOf(t, o))
}

func timelineOf(t transcript.Transcript, o Options) markers.Timeline {
	d := prepareDocument(t, o)
	media := cmp.Or(o.Media, captions.CleanText(o.Source))
	line := markers.Timeline{Name: d.headline(), Media: media, Sound: isSound(media), Length: d.length(), Rate: o.Rate, Start: o.StartFrame}
	for i, c := range d.chapters {
		m := markers.Marker{Kind: markers.Chapter, Start: c.Start, End: d.length(), Name: c.Title, Note: c.Summary}
		if i+1 < len(d.chapters) {
			m.End = d.chapters[i+1].Start
		}
		line.Markers = append(line.Markers, m)
	}
	for _, c := range o.Clips {
		line.Markers = append(line.Markers, markers.Marker{Kind: markers.Clip, Start: c.Window.Start, End: c.Window.End, Name: c.Title, Note: c.Why})
	}
	voices := map[string]int{}
	for _, p := range d.paragraphs() {
		if _, ok := voices[p.Name]; !ok {
			voices[p.Name] = len(voices)
		}
		m := markers.Marker{Kind: markers.Turn, Start: p.Start, End: p.End, Name: cmp.Or(p.Name, d.word.speaker), Note: p.Text, Voice: voices[p.Name]}
		line.Markers = append(line.Markers, m)
	}
	return line
}

// isSound reports whether a media file has sound only, as far as its extension says.
func isSound(media string) bool {
	switch strings.ToLower(path.Ext(mediaName(media))) {
	case ".wav", ".mp3", ".m4a", ".aac", ".flac", ".ogg", ".oga", ".opus", ".aif", ".aiff", ".wma", ".bwf", ".amr":
		return true
	}
	return false
}
