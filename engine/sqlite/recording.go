package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

var recordings = newTable("recordings", "recording", func(c *columns, v *engine.Recording) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "upload_id", &v.UploadID)
	text(c, "import_id", &v.ImportID)
	text(c, "title", &v.Title)
	number(c, "number", &v.Number)
	text(c, "language", &v.Language)
	text(c, "transcript_id", &v.TranscriptID)
	text(c, "transcript_status", &v.TranscriptStatus)
	text(c, "next_transcript_id", &v.NextTranscriptID)
	number(c, "revision", &v.Revision)
	duration(c, "duration", &v.Duration)
	flag(c, "has_video", &v.HasVideo)
	text(c, "blob_key", &v.BlobKey)
	number(c, "size", &v.Size)
	timestamp(c, "created_at", &v.CreatedAt)
	optional(c, "published_at", &v.PublishedAt, timestamp)
	optional(c, "episode_number", &v.EpisodeNumber, number[int])
	optional(c, "season_number", &v.SeasonNumber, number[int])
	rss(c, "rss", &v.RSS)
	tags(c, &v.Tags)
	derived(c, "title_folded", func() string { return transcript.Fold(v.Title) })
})

// recordingByExternalID repeats the condition of the index recordings_by_external_id.
var recordingByExternalID = "SELECT " + recordings.columns + " FROM recordings WHERE space_id = ? AND external_id = ? AND external_id <> ''"

func (t *readTx) RecordingByExternalID(space engine.SpaceID, id string) (engine.Recording, error) {
	return one(t, recordings, recordingByExternalID, string(space), id)
}

func (t *readTx) Recording(id engine.RecordingID) (engine.Recording, error) {
	return one(t, recordings, recordings.get, string(id))
}

func (t *tx) PutRecording(r engine.Recording) error { return write(t, recordings, recordings.put, r) }

// rss visits a column with RSS fields as JSON. Times are stored in UTC with whole microseconds.
func rss(c *columns, name string, p **engine.RSS) {
	switch {
	case c.writing && *p == nil:
		c.write(nil)
	case c.writing:
		kept := **p
		kept.PublishedAt = kept.PublishedAt.UTC().Truncate(time.Microsecond)
		asJSON(c, name, &kept)
	default:
		asJSON(c, name, p)
	}
}

// tags visits the columns of Tags. Metadata is JSON with sorted names; NULL for none.
func tags(c *columns, p *engine.Tags) {
	text(c, "external_id", &p.ExternalID)
	if c.writing && p.Metadata == nil {
		c.write(nil)
		return
	}
	asJSON(c, "metadata", &p.Metadata)
}
