package rows

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Recordings is the table of recordings.
var Recordings = New("recordings", "recording", func(c *Columns, v *engine.Recording) {
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

// rss visits a column with RSS fields as JSON. Times are stored in UTC with whole microseconds.
func rss(c *Columns, name string, p **engine.RSS) {
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
func tags(c *Columns, p *engine.Tags) {
	text(c, "external_id", &p.ExternalID)
	if c.writing && p.Metadata == nil {
		c.write(nil)
		return
	}
	asJSON(c, "metadata", &p.Metadata)
}
