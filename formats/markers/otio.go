package markers

import (
	"bytes"
	"encoding/json"
	"io"
)

// The schemas of OpenTimelineIO, with the members that its own library writes.
type (
	otioTimeline struct {
		Schema   string         `json:"OTIO_SCHEMA"`
		Metadata map[string]any `json:"metadata"`
		Name     string         `json:"name"`
		Start    otioTime       `json:"global_start_time"`
		Tracks   otioItem       `json:"tracks"`
	}
	// otioItem is a stack, a track, a clip, or a gap.
	otioItem struct {
		Schema   string              `json:"OTIO_SCHEMA"`
		Metadata map[string]any      `json:"metadata"`
		Name     string              `json:"name"`
		Range    *otioRange          `json:"source_range"`
		Effects  []any               `json:"effects"`
		Markers  []otioMarker        `json:"markers"`
		Enabled  bool                `json:"enabled"`
		Children []otioItem          `json:"children,omitempty"` // of stacks and tracks
		Kind     string              `json:"kind,omitempty"`     // of tracks
		Media    map[string]otioFile `json:"media_references,omitempty"`
		Active   string              `json:"active_media_reference_key,omitempty"`
	}
	otioFile struct {
		Schema   string         `json:"OTIO_SCHEMA"`
		Metadata map[string]any `json:"metadata"`
		Name     string         `json:"name"`
		Range    otioRange      `json:"available_range"`
		Bounds   any            `json:"available_image_bounds"`
		URL      string         `json:"target_url"`
	}
	otioMarker struct {
		Schema   string         `json:"OTIO_SCHEMA"`
		Metadata map[string]any `json:"metadata"`
		Name     string         `json:"name"`
		Color    string         `json:"color"`
		Range    otioRange      `json:"marked_range"`
		Comment  string         `json:"comment"`
	}
	otioRange struct {
		Schema string   `json:"OTIO_SCHEMA"`
		Length otioTime `json:"duration"`
		Start  otioTime `json:"start_time"`
	}
	otioTime struct {
		Schema string  `json:"OTIO_SCHEMA"`
		Rate   float64 `json:"rate"`
		Value  int64   `json:"value"`
	}
)

// WriteOTIO writes an OpenTimelineIO timeline: the media as a clip on a track of pictures and a track of sound, and the markers on the
// timeline, with the note as comment. Without media, the tracks have a gap.
func WriteOTIO(w io.Writer, t Timeline) error {
	t, marks, length := t.prepare()
	stack := item("Stack.1", "tracks")
	for _, m := range marks {
		stack.Markers = append(stack.Markers, otioMarker{"Marker.2", none(), m.Name, m.color.otio, t.otioRange(m.start, m.length), m.Note})
	}
	if !t.Sound {
		stack.Children = append(stack.Children, t.otioTrack("Video", length))
	}
	stack.Children = append(stack.Children, t.otioTrack("Audio", length))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(otioTimeline{"Timeline.1", none(), t.Name, t.otioTime(t.Start), stack}); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// otioTrack returns a track with the whole media.
func (t Timeline) otioTrack(kind string, length int64) otioItem {
	whole := t.otioRange(0, length)
	content := item("Gap.1", "")
	if t.Media != "" {
		content = item("Clip.2", t.mediaName())
		content.Active = "DEFAULT_MEDIA"
		content.Media = map[string]otioFile{content.Active: {Schema: "ExternalReference.1", Metadata: none(), Name: t.mediaName(), Range: whole, URL: t.address()}}
	}
	content.Range = &whole
	track := item("Track.1", kind)
	track.Kind, track.Children = kind, []otioItem{content}
	return track
}

func item(schema, name string) otioItem {
	return otioItem{Schema: schema, Metadata: none(), Name: name, Effects: []any{}, Markers: []otioMarker{}, Enabled: true}
}

func none() map[string]any { return map[string]any{} }

func (t Timeline) otioTime(frame int64) otioTime {
	return otioTime{"RationalTime.1", float64(t.Rate.Frames) / float64(t.Rate.Per), frame}
}

func (t Timeline) otioRange(start, length int64) otioRange {
	return otioRange{"TimeRange.1", t.otioTime(length), t.otioTime(start)}
}
