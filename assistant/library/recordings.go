package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
)

// recordingName is the id or the number of a recording. Models send a number as a string or as a number.
type recordingName string

func (n *recordingName) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	*n = recordingName(text)
	return nil
}

// namesRecording limits an argument to names of recordings.
func namesRecording(least int) assistant.Limit {
	return func(s *jsonschema.Schema) {
		assistant.Length(least, 100)(s)
		s.Type, s.Types = "", []string{"string", "integer"}
	}
}

type recordingIn struct {
	Recording recordingName `json:"recording" jsonschema:"id or number of the recording"`
}

// recording describes a recording.
type recording struct {
	ID         string            `json:"id"`
	Number     int               `json:"number"`
	Title      string            `json:"title"`
	Status     string            `json:"status" jsonschema:"of the transcript: completed, error, or a step on the way"`
	Language   string            `json:"language,omitempty"`
	DurationMS int64             `json:"duration_ms"`
	Video      bool              `json:"video"`
	Source     string            `json:"source,omitempty" jsonschema:"path or URL that it was added from"`
	Tags       map[string]string `json:"tags,omitempty"`
	CreatedAt  time.Time         `json:"created_at"`
}

// Longest texts of rows in results, in bytes. Rows may be larger.
const (
	maxTitle  = 300
	maxSource = 500
	maxTag    = 200
)

func describe(r engine.Recording) recording {
	d := recording{
		ID: string(r.ID), Number: r.Number, Title: assistant.Shorten(r.Title, maxTitle), Status: string(r.TranscriptStatus), Language: string(r.Language),
		DurationMS: r.Duration.Milliseconds(), Video: r.HasVideo, Source: assistant.Shorten(r.ExternalID, maxSource), CreatedAt: r.CreatedAt,
	}
	for name, value := range r.Metadata {
		if d.Tags == nil {
			d.Tags = map[string]string{}
		}
		d.Tags[assistant.Shorten(name, maxTag)] = assistant.Shorten(value, maxTag)
	}
	return d
}

type listIn struct {
	Title  string            `json:"title,omitempty" jsonschema:"part of the title, in any case"`
	Tags   map[string]string `json:"tags,omitempty" jsonschema:"names and values that the recordings must have"`
	Limit  int               `json:"limit,omitempty" jsonschema:"most recordings to return"`
	Cursor string            `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

type listOut struct {
	assistant.Untrusted
	Recordings []recording `json:"recordings"`
	NextCursor string      `json:"next_cursor,omitempty"`
	More       string      `json:"more,omitempty" jsonschema:"how to get the rest"`
}

func (t *tools) list(ctx context.Context, _ assistant.Call, in listIn) (*listOut, error) {
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*listOut, error) {
		page, err := l.ListRecordings(ctx, l.Me, engine.ListRecordings{
			SpaceID: l.Me.DefaultSpaceID, Query: in.Title, Tags: engine.Tags{Metadata: in.Tags}, Limit: in.Limit, Cursor: in.Cursor,
		})
		if err != nil {
			return nil, err
		}
		out := &listOut{Recordings: []recording{}, NextCursor: page.NextCursor}
		for _, r := range page.Recordings {
			out.Recordings = append(out.Recordings, describe(r))
		}
		if out.NextCursor != "" {
			out.More = "There are more recordings. Call list_recordings again with next_cursor as cursor."
		}
		return out, nil
	})
}

// find returns the recording that an assistant names: by id or number. Errors: CodeNotFound.
func (l Open) find(ctx context.Context, name recordingName) (engine.Recording, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(string(name), "#"))
	if err != nil {
		r, _, err := l.GetRecording(ctx, l.Me, engine.RecordingID(name))
		if engine.CodeOf(err) == engine.CodeNotFound {
			err = noRecording(name)
		}
		return r, err
	}
	list := engine.ListRecordings{SpaceID: l.Me.DefaultSpaceID, Limit: engine.MaxPageSize}
	for {
		page, err := l.ListRecordings(ctx, l.Me, list)
		if err != nil {
			return engine.Recording{}, err
		}
		for _, r := range page.Recordings {
			if r.Number == n {
				return r, nil
			}
		}
		if list.Cursor = page.NextCursor; list.Cursor == "" {
			return engine.Recording{}, noRecording(name)
		}
	}
}

func noRecording(name recordingName) error {
	return engine.Errorf(engine.CodeNotFound, "library", "There is no recording %.100q in the library.", name).
		WithHint("Use an id or a number that list_recordings or search returns.")
}

// read returns the transcript of the recording that an assistant names. If the transcription failed, it returns the cause.
func (l Open) read(ctx context.Context, name recordingName) (engine.RecordingTranscript, error) {
	r, err := l.find(ctx, name)
	if err != nil {
		return engine.RecordingTranscript{}, err
	}
	t, err := l.GetRecordingTranscript(ctx, l.Me, r.ID)
	if cause, ok := errors.AsType[*engine.Error](errors.Unwrap(err)); ok {
		err = cause
	}
	return t, err
}

// ref names a recording in a result.
type ref struct {
	Recording string `json:"recording" jsonschema:"id of the recording"`
	Number    int    `json:"number"`
	Title     string `json:"title"`
}

func refer(r engine.Recording) ref {
	return ref{string(r.ID), r.Number, assistant.Shorten(r.Title, maxTitle)}
}

// clock formats a time as h:mm:ss.
func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%02d:%02d", d/time.Hour, d/time.Minute%60, d/time.Second%60)
}
