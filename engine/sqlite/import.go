package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var imports = newTable("imports", "import", func(c *columns, v *engine.Import) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "account_id", &v.AccountID)
	text(c, "space_id", &v.SpaceID)
	text(c, "url", &v.URL)
	text(c, "title", &v.Title)
	text(c, "status", &v.Status)
	fraction(c, "progress", &v.Progress)
	text(c, "error", &v.Error)
	text(c, "error_code", &v.ErrorCode)
	text(c, "error_hint", &v.ErrorHint)
	text(c, "error_rule", &v.ErrorRule)
	text(c, "recording_id", &v.RecordingID)
	number(c, "size", &v.Size)
	text(c, "feed_item", &v.FeedItem)
	rss(c, "rss", &v.RSS)
	optional(c, "episode_number", &v.EpisodeNumber, number[int])
	optional(c, "season_number", &v.SeasonNumber, number[int])
	optional(c, "published_at", &v.PublishedAt, timestamp)
	text(c, "language", &v.Language)
	flag(c, "detect_language", &v.DetectLanguage)
	number(c, "speakers_expected", &v.SpeakersExpected)
	text(c, "context_prompt", &v.ContextPrompt)
	tags(c, &v.Tags)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})

var (
	// importsOfItem repeats the condition of the index imports_by_item, and importsOfExternalID that of imports_by_external_id.
	importsOfItem       = "SELECT " + imports.columns + " FROM imports WHERE space_id = ? AND feed_item = ? AND feed_item <> '' ORDER BY created_at, id"
	importsOfExternalID = "SELECT " + imports.columns + " FROM imports WHERE space_id = ? AND external_id = ? AND external_id <> '' ORDER BY created_at, id"
)

func (t *readTx) Import(id engine.ImportID) (engine.Import, error) {
	return one(t, imports, imports.get, string(id))
}

func (t *readTx) ImportsOfItem(space engine.SpaceID, item string) ([]engine.Import, error) {
	return all(t, imports, importsOfItem, string(space), item)
}

func (t *readTx) ImportsOfExternalID(space engine.SpaceID, id string) ([]engine.Import, error) {
	return all(t, imports, importsOfExternalID, string(space), id)
}

func (t *tx) PutImport(i engine.Import) error { return write(t, imports, imports.put, i) }
