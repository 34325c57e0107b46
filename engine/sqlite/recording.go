package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const recordingColumns = "id, space_id, upload_id, title, number, language, transcript_id, transcript_status, duration, has_video, blob_key, size, created_at, published_at, episode_number, season_number, rss, import_id"

var putRecording = upsert("recordings", recordingColumns+", title_folded")

func (t *readTx) Recording(id engine.RecordingID) (engine.Recording, error) {
	return one(t, "recording", scanRecording, "SELECT "+recordingColumns+" FROM recordings WHERE id = ?", string(id))
}

func (t *tx) PutRecording(r engine.Recording) error {
	rss, err := rssColumn(r.RSS)
	if err != nil {
		return t.fail(err)
	}
	return t.exec(putRecording, string(r.ID), string(r.SpaceID), string(r.UploadID), r.Title, int64(r.Number), string(r.Language),
		string(r.TranscriptID), string(r.TranscriptStatus), durationMicros(r.Duration), r.HasVideo, r.BlobKey, r.Size, micros(r.CreatedAt),
		optionalMicros(r.PublishedAt), optionalNumber(r.EpisodeNumber), optionalNumber(r.SeasonNumber), rss,
		string(r.ImportID), engine.Fold(r.Title))
}

func scanRecording(r *row) engine.Recording {
	return engine.Recording{
		ID: engine.RecordingID(r.text()), SpaceID: engine.SpaceID(r.text()), UploadID: engine.UploadID(r.text()), Title: r.text(),
		Number: r.int(), Language: engine.Language(r.text()), TranscriptID: engine.TranscriptID(r.text()),
		TranscriptStatus: engine.TranscriptStatus(r.text()), Duration: r.duration(), HasVideo: r.bool(), BlobKey: r.text(),
		Size: r.int64(), CreatedAt: r.time(), PublishedAt: r.optionalTime(), EpisodeNumber: r.optionalInt(),
		SeasonNumber: r.optionalInt(), RSS: optional(r, fromJSON[*engine.RSS]), ImportID: engine.ImportID(r.text()),
	}
}

func rssColumn(rss *engine.RSS) (driver.Value, error) {
	if rss == nil {
		return nil, nil
	}
	c := *rss
	c.PublishedAt = c.PublishedAt.UTC().Truncate(time.Microsecond)
	b, err := json.Marshal(c)
	return string(b), err
}
