package engine

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// JobSubject returns the id of a job's resource in /v1, and the id of the recording that it is about, "" for none. A deleted row has its own id
// as the resource.
func JobSubject(tx ReadTx, j queue.Job) (resource, recording string, err error) {
	noun, _, _ := strings.Cut(string(j.Kind), ".")
	switch noun {
	case "transcript":
		var t Transcript
		t, err = tx.Transcript(TranscriptID(j.Ref))
		resource, recording = string(t.RecordingID), string(t.RecordingID)
	case "output":
		var o Output
		o, err = tx.Output(OutputID(j.Ref))
		recording = string(o.RecordingID)
	case "render":
		var r Render
		r, err = tx.Render(RenderID(j.Ref))
		recording = string(r.RecordingID)
	case "import":
		var i Import
		i, err = tx.Import(ImportID(j.Ref))
		recording = string(i.RecordingID)
	case "chat":
		var c Chat
		if c, err = tx.Chat(ChatID(j.Ref)); len(c.RecordingIDs) > 0 {
			recording = string(c.RecordingIDs[0])
		}
	case "suggestions":
		resource, recording = j.Ref, j.Ref
	case "speaker":
		resource, recording, _ = strings.Cut(j.Ref, "/")
	case "recording":
		var d Deletion
		if j.Kind == JobRecordingDelete {
			d, err = tx.Deletion(DeletionID(j.Ref))
			resource, recording = string(d.RecordingID), string(d.RecordingID)
		}
	}
	if CodeOf(err) == CodeNotFound {
		err = nil
	}
	if resource == "" {
		resource = j.Ref
	}
	return resource, recording, err
}

// JobRefs returns the values of JobList.Refs for a resource of /v1: its own id, and for a recording those of what is made from it.
func JobRefs(tx ReadTx, id string) ([]string, error) {
	refs, recording := []string{id}, RecordingID(id)
	transcripts, err := tx.TranscriptsOf(recording)
	refs = appendIDs(refs, transcripts, func(t TranscriptID) string { return string(t) })
	if err != nil {
		return nil, err
	}
	outputs, err := tx.Outputs(recording)
	refs = appendIDs(refs, outputs, func(o Output) string { return string(o.ID) })
	if err != nil {
		return nil, err
	}
	renders, err := tx.Renders(recording)
	refs = appendIDs(refs, renders, func(r Render) string { return string(r.ID) })
	if err != nil {
		return nil, err
	}
	chats, err := tx.Chats(recording)
	refs = appendIDs(refs, chats, func(c Chat) string { return string(c.ID) })
	return refs, err
}

func appendIDs[T any](to []string, rows []T, id func(T) string) []string {
	for _, row := range rows {
		to = append(to, id(row))
	}
	return to
}
