package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const (
	importColumns = "id, user_id, account_id, space_id, url, title, status, progress, error, error_hint, error_rule, recording_id, size, feed_item, rss, episode_number, season_number, published_at, created_at, updated_at"
	// importsOfItem repeats the condition of its index.
	importsOfItem = "SELECT " + importColumns + " FROM imports WHERE space_id = ? AND feed_item = ? AND feed_item <> '' ORDER BY created_at, id"
)

var putImport = upsert("imports", importColumns)

func (t *readTx) Import(id engine.ImportID) (engine.Import, error) {
	return one(t, "import", scanImport, "SELECT "+importColumns+" FROM imports WHERE id = ?", string(id))
}

func (t *readTx) ImportsOfItem(space engine.SpaceID, item string) ([]engine.Import, error) {
	return all(t, scanImport, importsOfItem, string(space), item)
}

func (t *tx) PutImport(i engine.Import) error {
	rss, err := rssColumn(i.RSS)
	if err != nil {
		return t.fail(err)
	}
	return t.exec(putImport, string(i.ID), string(i.UserID), string(i.AccountID), string(i.SpaceID), i.URL, i.Title, string(i.Status),
		i.Progress, i.Error, i.ErrorHint, string(i.ErrorRule), string(i.RecordingID), i.Size, i.FeedItem, rss, optionalNumber(i.EpisodeNumber), optionalNumber(i.SeasonNumber),
		optionalMicros(i.PublishedAt), micros(i.CreatedAt), micros(i.UpdatedAt))
}

func scanImport(r *row) engine.Import {
	return engine.Import{
		ID: engine.ImportID(r.text()), UserID: engine.UserID(r.text()), AccountID: engine.AccountID(r.text()), SpaceID: engine.SpaceID(r.text()),
		URL: r.text(), Title: r.text(), Status: engine.ImportStatus(r.text()), Progress: column[float64](r), Error: r.text(),
		ErrorHint: r.text(), ErrorRule: engine.Rule(r.text()),
		RecordingID: engine.RecordingID(r.text()), Size: r.int64(), FeedItem: r.text(), RSS: optional(r, fromJSON[*engine.RSS]),
		EpisodeNumber: r.optionalInt(), SeasonNumber: r.optionalInt(), PublishedAt: r.optionalTime(), CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}
