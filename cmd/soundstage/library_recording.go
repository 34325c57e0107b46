package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// libraryRecording is a recording in the output of --json.
type libraryRecording struct {
	ID         engine.RecordingID      `json:"id"`
	Number     int                     `json:"number"`
	Title      string                  `json:"title"`
	Status     engine.TranscriptStatus `json:"status"`
	Source     string                  `json:"source,omitempty"` // the external id: what it was added from
	Tags       map[string]string       `json:"tags,omitempty"`
	Language   string                  `json:"language,omitempty"`
	DurationMS int64                   `json:"duration_ms"`
	Bytes      int64                   `json:"bytes"`
	Video      bool                    `json:"video"`
	CreatedAt  time.Time               `json:"created_at"`
}

func describeRecording(r engine.Recording) libraryRecording {
	return libraryRecording{
		ID: r.ID, Number: r.Number, Title: r.Title, Status: r.TranscriptStatus, Source: r.ExternalID, Tags: r.Metadata, Language: string(r.Language),
		DurationMS: r.Duration.Milliseconds(), Bytes: r.Size, Video: r.HasVideo, CreatedAt: r.CreatedAt,
	}
}

// pathID returns the external id of a file.
func pathID(path string) string { return externalID(realPath(path)) }

// realPath returns the absolute path without symbolic links. What isn't there any more, such as a file that was added and then removed, has
// the real path of the folder that it was in.
func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for rest := ""; ; {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(target, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

// externalID returns the external id of what a recording is added from: a real path or a URL, or a hash of it, if it is too long or not
// text.
func externalID(source string) string {
	if (engine.Tags{ExternalID: source}).Validate() == nil {
		return source
	}
	sum := sha256.Sum256([]byte(source))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func isURL(source string) bool { return strings.Contains(source, "://") }

// find returns the recording with an external id.
func (l *library) find(ctx context.Context, id string) (engine.Recording, bool, error) {
	page, err := l.ListRecordings(ctx, l.me, engine.ListRecordings{SpaceID: l.me.DefaultSpaceID, Tags: engine.Tags{ExternalID: id}, Limit: 1})
	if err != nil || len(page.Recordings) == 0 {
		return engine.Recording{}, false, err
	}
	return page.Recordings[0], true, nil
}

// all returns the recordings that a list selects, newest first.
func (l *library) all(ctx context.Context, list engine.ListRecordings) iter.Seq2[engine.Recording, error] {
	return func(yield func(engine.Recording, error) bool) {
		list.SpaceID, list.Limit = l.me.DefaultSpaceID, engine.MaxPageSize
		for {
			page, err := l.ListRecordings(ctx, l.me, list)
			if err != nil {
				yield(engine.Recording{}, err)
				return
			}
			for _, r := range page.Recordings {
				if !yield(r, nil) {
					return
				}
			}
			if list.Cursor = page.NextCursor; list.Cursor == "" {
				return
			}
		}
	}
}

// recording returns the recording that a user names: by number, id, path, or URL. Errors: CodeNotFound.
func (l *library) recording(ctx context.Context, name string) (engine.Recording, error) {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "#")); err == nil {
		return l.numbered(ctx, n)
	}
	r, _, err := l.GetRecording(ctx, l.me, engine.RecordingID(name))
	if engine.CodeOf(err) != engine.CodeNotFound {
		return r, err
	}
	id := externalID(name)
	if !isURL(name) {
		id = pathID(name)
	}
	r, found, err := l.find(ctx, id)
	if err == nil && !found {
		err = noRecording(name)
	}
	return r, err
}

func (l *library) numbered(ctx context.Context, n int) (engine.Recording, error) {
	for r, err := range l.all(ctx, engine.ListRecordings{}) {
		if err != nil || r.Number == n {
			return r, err
		}
	}
	return engine.Recording{}, noRecording("#" + strconv.Itoa(n))
}

func noRecording(name string) error {
	return engine.Errorf(engine.CodeNotFound, "library", "There is no recording %s in the library.", name).
		WithHint("Use a number or an id of “soundstage library list”, or the path or URL that it was added from.")
}

// recordings returns the recordings that a user names, or all of the library, oldest first.
func (l *library) recordings(ctx context.Context, names []string, all bool) (list []engine.Recording, err error) {
	if all {
		for r, err := range l.all(ctx, engine.ListRecordings{}) {
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
		slices.Reverse(list)
		return list, nil
	}
	for _, name := range names {
		r, err := l.recording(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// transcript returns the transcript of a recording. If the transcription failed, it returns the cause.
func (l *library) transcript(ctx context.Context, id engine.RecordingID) (engine.RecordingTranscript, error) {
	t, err := l.GetRecordingTranscript(ctx, l.me, id)
	if cause, ok := errors.AsType[*engine.Error](errors.Unwrap(err)); ok {
		err = cause
	}
	return t, err
}

// wait waits for the transcript of a recording. If the transcription failed, it returns the cause.
func (l *library) wait(ctx context.Context, id engine.RecordingID) (engine.Recording, error) {
	r, err := l.WaitRecording(ctx, l.me, id)
	if err == nil && r.TranscriptStatus == engine.TranscriptError {
		_, err = l.transcript(ctx, id)
	}
	return r, err
}
